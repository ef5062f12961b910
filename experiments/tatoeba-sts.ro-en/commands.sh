#!/usr/bin/env bash
# Tatoeba and RO-STS, Romanian–English: what `editmt reproduce tatoeba-sts.ro-en` does, as commands. It does them all, one
# after the other, loads a model once for all that it decodes, and goes on where it was.
set -euo pipefail
mkdir -p outputs/tatoeba-sts.ro-en/answers/ar-beam10 outputs/tatoeba-sts.ro-en/answers/ar-beam4 outputs/tatoeba-sts.ro-en/answers/ar-distilled-beam10 outputs/tatoeba-sts.ro-en/answers/dba-beam10 outputs/tatoeba-sts.ro-en/answers/dba-beam4 outputs/tatoeba-sts.ro-en/answers/editor outputs/tatoeba-sts.ro-en/answers/editor-foreseen outputs/tatoeba-sts.ro-en/answers/editor-foreseen-0 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-0.5 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-1 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-2 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-4 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-8 outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard outputs/tatoeba-sts.ro-en/answers/editor-hard outputs/tatoeba-sts.ro-en/answers/editor-soft outputs/tatoeba-sts.ro-en/answers/editor-soft-0.5 outputs/tatoeba-sts.ro-en/answers/editor-soft-1 outputs/tatoeba-sts.ro-en/answers/editor-soft-2 outputs/tatoeba-sts.ro-en/answers/editor-soft-4 outputs/tatoeba-sts.ro-en/answers/editor-soft-8 outputs/tatoeba-sts.ro-en/answers/levenshtein outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen outputs/tatoeba-sts.ro-en/answers/levenshtein-hard outputs/tatoeba-sts.ro-en/answers/levenshtein-soft outputs/tatoeba-sts.ro-en/answers/single_path-soft outputs/tatoeba-sts.ro-en/requests

# prepare
editmt prepare data/tatoeba-sts.ro-en --recipe tatoeba-sts.ro-en --mirror ../shared/data

# requests
jq -cR '{source: .}' ../shared/data/tatoeba-sts.ro-en/test.ro > outputs/tatoeba-sts.ro-en/requests/nothing.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise moses:en --hard ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/hard-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise moses:en --hard ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/hard-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise moses:en --hard ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/hard-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise moses:en --hard ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/hard-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise moses:en --hard ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/hard-5.jsonl
editmt sample-constraints --words 2 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/words-2.jsonl
editmt sample-constraints --words 4 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/words-4.jsonl
editmt sample-constraints --words 6 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/words-6.jsonl
editmt sample-constraints --words 8 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/words-8.jsonl
editmt sample-constraints --words 10 --seed 1 --tokenise moses:en ../shared/data/tatoeba-sts.ro-en/test.ro ../shared/data/tatoeba-sts.ro-en/test.en > outputs/tatoeba-sts.ro-en/requests/words-10.jsonl

# train-teacher
editmt train configs/cpu/tatoeba-sts.ro-en-autoregressive.toml --out runs/tatoeba-sts.ro-en-autoregressive --set run.threads=1 --set run.precision=bfloat16

# export-teacher
editmt export runs/tatoeba-sts.ro-en-autoregressive runs/tatoeba-sts.ro-en-autoregressive-ctranslate2 --to ctranslate2

# distill
editmt distill runs/tatoeba-sts.ro-en-autoregressive-ctranslate2 data/tatoeba-sts.ro-en data/tatoeba-sts.ro-en-distilled

# train
editmt train configs/cpu/tatoeba-sts.ro-en-autoregressive-distilled.toml --out runs/tatoeba-sts.ro-en-autoregressive-distilled --set run.threads=1 --set run.precision=bfloat16
editmt train configs/cpu/tatoeba-sts.ro-en-levenshtein.toml --out runs/tatoeba-sts.ro-en-levenshtein --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000
editmt train configs/cpu/tatoeba-sts.ro-en-editor.toml --out runs/tatoeba-sts.ro-en-editor --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000
editmt train configs/cpu/tatoeba-sts.ro-en-editor-single-path.toml --out runs/tatoeba-sts.ro-en-editor-single-path --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000

# decode-teacher
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/nothing.jsonl > outputs/tatoeba-sts.ro-en/answers/ar-beam4/nothing.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/nothing.jsonl > outputs/tatoeba-sts.ro-en/answers/ar-beam10/nothing.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/words-2.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/words-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/words-4.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/words-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/words-6.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/words-6.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/words-8.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/words-8.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 4 < outputs/tatoeba-sts.ro-en/requests/words-10.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam4/words-10.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/words-2.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/words-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/words-4.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/words-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/words-6.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/words-6.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/words-8.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/words-8.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/words-10.jsonl > outputs/tatoeba-sts.ro-en/answers/dba-beam10/words-10.jsonl

# decode-distilled
editmt translate --model runs/tatoeba-sts.ro-en-autoregressive-distilled --jsonl --beam 10 < outputs/tatoeba-sts.ro-en/requests/nothing.jsonl > outputs/tatoeba-sts.ro-en/answers/ar-distilled-beam10/nothing.jsonl

# decode-levenshtein
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/nothing.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein/nothing.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-1.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-hard/hard-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-2.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-hard/hard-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-3.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-hard/hard-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-4.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-hard/hard-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-5.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-hard/hard-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-foreseen/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/words-2.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/words-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/words-4.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/words-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/words-6.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/words-6.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/words-8.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/words-8.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-levenshtein --jsonl < outputs/tatoeba-sts.ro-en/requests/words-10.jsonl > outputs/tatoeba-sts.ro-en/answers/levenshtein-soft/words-10.jsonl

# decode-editor
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/nothing.jsonl > outputs/tatoeba-sts.ro-en/answers/editor/nothing.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-hard/hard-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-2.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-hard/hard-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-3.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-hard/hard-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-4.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-hard/hard-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/hard-5.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-hard/hard-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen/soft-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/hard-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard/hard-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/hard-2.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard/hard-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/hard-3.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard/hard-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/hard-4.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard/hard-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/hard-5.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-hard/hard-5.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/words-2.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/words-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/words-4.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/words-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/words-6.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/words-6.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/words-8.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/words-8.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl < outputs/tatoeba-sts.ro-en/requests/words-10.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft/words-10.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 0.5 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft-0.5/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft-1/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 2 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft-2/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 4 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft-4/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 8 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-soft-8/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-0/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 0.5 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-0.5/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 1 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-1/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 2 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-2/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 4 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-4/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor --jsonl --strength 8 --foresight 1 < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/editor-foreseen-8/soft-1.jsonl

# decode-single_path
editmt translate --model runs/tatoeba-sts.ro-en-editor-single-path --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-1.jsonl > outputs/tatoeba-sts.ro-en/answers/single_path-soft/soft-1.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor-single-path --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-2.jsonl > outputs/tatoeba-sts.ro-en/answers/single_path-soft/soft-2.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor-single-path --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-3.jsonl > outputs/tatoeba-sts.ro-en/answers/single_path-soft/soft-3.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor-single-path --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-4.jsonl > outputs/tatoeba-sts.ro-en/answers/single_path-soft/soft-4.jsonl
editmt translate --model runs/tatoeba-sts.ro-en-editor-single-path --jsonl < outputs/tatoeba-sts.ro-en/requests/soft-5.jsonl > outputs/tatoeba-sts.ro-en/answers/single_path-soft/soft-5.jsonl

# latency
# (within `editmt reproduce tatoeba-sts.ro-en`: there is no command for it alone)

# report
editmt reproduce tatoeba-sts.ro-en --report
