#!/usr/bin/env bash
# Tanaka corpus, English–Japanese: what `editmt reproduce tanaka.en-ja` does, as commands. It does them all, one
# after the other, loads a model once for all that it decodes, and goes on where it was.
set -euo pipefail
mkdir -p outputs/tanaka.en-ja/answers/ar-beam10 outputs/tanaka.en-ja/answers/ar-beam4 outputs/tanaka.en-ja/answers/ar-distilled-beam10 outputs/tanaka.en-ja/answers/dba-beam10 outputs/tanaka.en-ja/answers/dba-beam4 outputs/tanaka.en-ja/answers/editor outputs/tanaka.en-ja/answers/editor-foreseen outputs/tanaka.en-ja/answers/editor-foreseen-0 outputs/tanaka.en-ja/answers/editor-foreseen-0.5 outputs/tanaka.en-ja/answers/editor-foreseen-1 outputs/tanaka.en-ja/answers/editor-foreseen-2 outputs/tanaka.en-ja/answers/editor-foreseen-4 outputs/tanaka.en-ja/answers/editor-foreseen-8 outputs/tanaka.en-ja/answers/editor-foreseen-hard outputs/tanaka.en-ja/answers/editor-hard outputs/tanaka.en-ja/answers/editor-soft outputs/tanaka.en-ja/answers/editor-soft-0.5 outputs/tanaka.en-ja/answers/editor-soft-1 outputs/tanaka.en-ja/answers/editor-soft-2 outputs/tanaka.en-ja/answers/editor-soft-4 outputs/tanaka.en-ja/answers/editor-soft-8 outputs/tanaka.en-ja/answers/levenshtein outputs/tanaka.en-ja/answers/levenshtein-foreseen outputs/tanaka.en-ja/answers/levenshtein-hard outputs/tanaka.en-ja/answers/levenshtein-soft outputs/tanaka.en-ja/answers/single_path-soft outputs/tanaka.en-ja/requests

# prepare
editmt prepare data/tanaka.en-ja --recipe tanaka.en-ja --mirror ../shared/data

# requests
jq -cR '{source: .}' ../shared/data/tanaka.en-ja/test.en > outputs/tanaka.en-ja/requests/nothing.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/soft-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/soft-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/soft-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/soft-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/soft-5.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise none --hard ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/hard-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise none --hard ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/hard-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise none --hard ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/hard-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise none --hard ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/hard-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise none --hard ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/hard-5.jsonl
editmt sample-constraints --words 2 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/words-2.jsonl
editmt sample-constraints --words 4 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/words-4.jsonl
editmt sample-constraints --words 6 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/words-6.jsonl
editmt sample-constraints --words 8 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/words-8.jsonl
editmt sample-constraints --words 10 --seed 1 --tokenise none ../shared/data/tanaka.en-ja/test.en ../shared/data/tanaka.en-ja/test.ja > outputs/tanaka.en-ja/requests/words-10.jsonl

# train-teacher
editmt train configs/cpu/tanaka.en-ja-autoregressive.toml --out runs/tanaka.en-ja-autoregressive --set run.threads=1 --set run.precision=bfloat16

# export-teacher
editmt export runs/tanaka.en-ja-autoregressive runs/tanaka.en-ja-autoregressive-ctranslate2 --to ctranslate2

# distill
editmt distill runs/tanaka.en-ja-autoregressive-ctranslate2 data/tanaka.en-ja data/tanaka.en-ja-distilled

# train
editmt train configs/cpu/tanaka.en-ja-autoregressive-distilled.toml --out runs/tanaka.en-ja-autoregressive-distilled --set run.threads=1 --set run.precision=bfloat16
editmt train configs/cpu/tanaka.en-ja-levenshtein.toml --out runs/tanaka.en-ja-levenshtein --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000
editmt train configs/cpu/tanaka.en-ja-editor.toml --out runs/tanaka.en-ja-editor --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000
editmt train configs/cpu/tanaka.en-ja-editor-single-path.toml --out runs/tanaka.en-ja-editor-single-path --set run.threads=1 --set run.precision=bfloat16 --set run.steps=3000

# decode-teacher
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/nothing.jsonl > outputs/tanaka.en-ja/answers/ar-beam4/nothing.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/nothing.jsonl > outputs/tanaka.en-ja/answers/ar-beam10/nothing.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/words-2.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/words-2.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/words-4.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/words-4.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/words-6.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/words-6.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/words-8.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/words-8.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 4 < outputs/tanaka.en-ja/requests/words-10.jsonl > outputs/tanaka.en-ja/answers/dba-beam4/words-10.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/words-2.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/words-2.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/words-4.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/words-4.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/words-6.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/words-6.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/words-8.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/words-8.jsonl
editmt translate --model runs/tanaka.en-ja-autoregressive --jsonl --beam 10 < outputs/tanaka.en-ja/requests/words-10.jsonl > outputs/tanaka.en-ja/answers/dba-beam10/words-10.jsonl

# decode-distilled
editmt translate --model runs/tanaka.en-ja-autoregressive-distilled --jsonl --beam 10 < outputs/tanaka.en-ja/requests/nothing.jsonl > outputs/tanaka.en-ja/answers/ar-distilled-beam10/nothing.jsonl

# decode-levenshtein
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/nothing.jsonl > outputs/tanaka.en-ja/answers/levenshtein/nothing.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/hard-1.jsonl > outputs/tanaka.en-ja/answers/levenshtein-hard/hard-1.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/hard-2.jsonl > outputs/tanaka.en-ja/answers/levenshtein-hard/hard-2.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/hard-3.jsonl > outputs/tanaka.en-ja/answers/levenshtein-hard/hard-3.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/hard-4.jsonl > outputs/tanaka.en-ja/answers/levenshtein-hard/hard-4.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/hard-5.jsonl > outputs/tanaka.en-ja/answers/levenshtein-hard/hard-5.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/levenshtein-foreseen/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/levenshtein-foreseen/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/levenshtein-foreseen/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/levenshtein-foreseen/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/levenshtein-foreseen/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/words-2.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/words-2.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/words-4.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/words-4.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/words-6.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/words-6.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/words-8.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/words-8.jsonl
editmt translate --model runs/tanaka.en-ja-levenshtein --jsonl < outputs/tanaka.en-ja/requests/words-10.jsonl > outputs/tanaka.en-ja/answers/levenshtein-soft/words-10.jsonl

# decode-editor
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/nothing.jsonl > outputs/tanaka.en-ja/answers/editor/nothing.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/editor-soft/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/editor-soft/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/editor-soft/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/editor-soft/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/hard-1.jsonl > outputs/tanaka.en-ja/answers/editor-hard/hard-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/hard-2.jsonl > outputs/tanaka.en-ja/answers/editor-hard/hard-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/hard-3.jsonl > outputs/tanaka.en-ja/answers/editor-hard/hard-3.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/hard-4.jsonl > outputs/tanaka.en-ja/answers/editor-hard/hard-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/hard-5.jsonl > outputs/tanaka.en-ja/answers/editor-hard/hard-5.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen/soft-5.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/hard-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-hard/hard-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/hard-2.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-hard/hard-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/hard-3.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-hard/hard-3.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/hard-4.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-hard/hard-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/hard-5.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-hard/hard-5.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/words-2.jsonl > outputs/tanaka.en-ja/answers/editor-soft/words-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/words-4.jsonl > outputs/tanaka.en-ja/answers/editor-soft/words-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/words-6.jsonl > outputs/tanaka.en-ja/answers/editor-soft/words-6.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/words-8.jsonl > outputs/tanaka.en-ja/answers/editor-soft/words-8.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl < outputs/tanaka.en-ja/requests/words-10.jsonl > outputs/tanaka.en-ja/answers/editor-soft/words-10.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 0.5 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft-0.5/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft-1/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 2 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft-2/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 4 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft-4/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 8 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-soft-8/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-0/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 0.5 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-0.5/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 1 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-1/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 2 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-2/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 4 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-4/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor --jsonl --strength 8 --foresight 1 < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/editor-foreseen-8/soft-1.jsonl

# decode-single_path
editmt translate --model runs/tanaka.en-ja-editor-single-path --jsonl < outputs/tanaka.en-ja/requests/soft-1.jsonl > outputs/tanaka.en-ja/answers/single_path-soft/soft-1.jsonl
editmt translate --model runs/tanaka.en-ja-editor-single-path --jsonl < outputs/tanaka.en-ja/requests/soft-2.jsonl > outputs/tanaka.en-ja/answers/single_path-soft/soft-2.jsonl
editmt translate --model runs/tanaka.en-ja-editor-single-path --jsonl < outputs/tanaka.en-ja/requests/soft-3.jsonl > outputs/tanaka.en-ja/answers/single_path-soft/soft-3.jsonl
editmt translate --model runs/tanaka.en-ja-editor-single-path --jsonl < outputs/tanaka.en-ja/requests/soft-4.jsonl > outputs/tanaka.en-ja/answers/single_path-soft/soft-4.jsonl
editmt translate --model runs/tanaka.en-ja-editor-single-path --jsonl < outputs/tanaka.en-ja/requests/soft-5.jsonl > outputs/tanaka.en-ja/answers/single_path-soft/soft-5.jsonl

# latency
# (within `editmt reproduce tanaka.en-ja`: there is no command for it alone)

# report
editmt reproduce tanaka.en-ja --report
