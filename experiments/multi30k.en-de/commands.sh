#!/usr/bin/env bash
# Multi30k, English–German: what `editmt reproduce multi30k.en-de` does, as commands. It does them all, one
# after the other, loads a model once for all that it decodes, and goes on where it was.
set -euo pipefail
mkdir -p outputs/multi30k.en-de/answers/ar-beam10 outputs/multi30k.en-de/answers/ar-beam4 outputs/multi30k.en-de/answers/ar-distilled-beam10 outputs/multi30k.en-de/answers/dba-beam10 outputs/multi30k.en-de/answers/dba-beam4 outputs/multi30k.en-de/answers/editor outputs/multi30k.en-de/answers/editor-foreseen outputs/multi30k.en-de/answers/editor-foreseen-0 outputs/multi30k.en-de/answers/editor-foreseen-0.5 outputs/multi30k.en-de/answers/editor-foreseen-1 outputs/multi30k.en-de/answers/editor-foreseen-2 outputs/multi30k.en-de/answers/editor-foreseen-4 outputs/multi30k.en-de/answers/editor-foreseen-8 outputs/multi30k.en-de/answers/editor-foreseen-hard outputs/multi30k.en-de/answers/editor-hard outputs/multi30k.en-de/answers/editor-soft outputs/multi30k.en-de/answers/editor-soft-0.5 outputs/multi30k.en-de/answers/editor-soft-1 outputs/multi30k.en-de/answers/editor-soft-2 outputs/multi30k.en-de/answers/editor-soft-4 outputs/multi30k.en-de/answers/editor-soft-8 outputs/multi30k.en-de/answers/levenshtein outputs/multi30k.en-de/answers/levenshtein-foreseen outputs/multi30k.en-de/answers/levenshtein-hard outputs/multi30k.en-de/answers/levenshtein-soft outputs/multi30k.en-de/answers/own-canvases outputs/multi30k.en-de/answers/own-canvases-soft outputs/multi30k.en-de/answers/own-canvases-soft-0.5 outputs/multi30k.en-de/answers/own-canvases-soft-1 outputs/multi30k.en-de/answers/own-canvases-soft-2 outputs/multi30k.en-de/answers/own-canvases-soft-4 outputs/multi30k.en-de/answers/own-canvases-soft-8 outputs/multi30k.en-de/answers/paper-noise outputs/multi30k.en-de/answers/paper-noise-soft outputs/multi30k.en-de/answers/paper-noise-soft-0.5 outputs/multi30k.en-de/answers/paper-noise-soft-1 outputs/multi30k.en-de/answers/paper-noise-soft-2 outputs/multi30k.en-de/answers/paper-noise-soft-4 outputs/multi30k.en-de/answers/paper-noise-soft-8 outputs/multi30k.en-de/answers/prefer-reposition outputs/multi30k.en-de/answers/prefer-reposition-soft outputs/multi30k.en-de/answers/prefer-reposition-soft-0.5 outputs/multi30k.en-de/answers/prefer-reposition-soft-1 outputs/multi30k.en-de/answers/prefer-reposition-soft-2 outputs/multi30k.en-de/answers/prefer-reposition-soft-4 outputs/multi30k.en-de/answers/prefer-reposition-soft-8 outputs/multi30k.en-de/answers/single_path-soft outputs/multi30k.en-de/answers/undistilled outputs/multi30k.en-de/answers/undistilled-soft outputs/multi30k.en-de/answers/undistilled-soft-0.5 outputs/multi30k.en-de/answers/undistilled-soft-1 outputs/multi30k.en-de/answers/undistilled-soft-2 outputs/multi30k.en-de/answers/undistilled-soft-4 outputs/multi30k.en-de/answers/undistilled-soft-8 outputs/multi30k.en-de/requests

# prepare
editmt prepare data/multi30k.en-de --recipe multi30k.en-de --mirror ../shared/data

# requests
jq -cR '{source: .}' ../shared/data/multi30k.en-de/test.en > outputs/multi30k.en-de/requests/nothing.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/soft-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/soft-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/soft-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/soft-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/soft-5.jsonl
editmt sample-constraints --words 1-4 --seed 1 --tokenise moses:de --hard ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/hard-1.jsonl
editmt sample-constraints --words 1-4 --seed 2 --tokenise moses:de --hard ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/hard-2.jsonl
editmt sample-constraints --words 1-4 --seed 3 --tokenise moses:de --hard ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/hard-3.jsonl
editmt sample-constraints --words 1-4 --seed 4 --tokenise moses:de --hard ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/hard-4.jsonl
editmt sample-constraints --words 1-4 --seed 5 --tokenise moses:de --hard ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/hard-5.jsonl
editmt sample-constraints --words 2 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/words-2.jsonl
editmt sample-constraints --words 4 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/words-4.jsonl
editmt sample-constraints --words 6 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/words-6.jsonl
editmt sample-constraints --words 8 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/words-8.jsonl
editmt sample-constraints --words 10 --seed 1 --tokenise moses:de ../shared/data/multi30k.en-de/test.en ../shared/data/multi30k.en-de/test.de > outputs/multi30k.en-de/requests/words-10.jsonl

# train-teacher
editmt train configs/cpu/multi30k.en-de-autoregressive.toml --out runs/multi30k.en-de-autoregressive --set run.threads=1 --set run.precision=bfloat16

# export-teacher
editmt export runs/multi30k.en-de-autoregressive runs/multi30k.en-de-autoregressive-ctranslate2 --to ctranslate2

# distill
editmt distill runs/multi30k.en-de-autoregressive-ctranslate2 data/multi30k.en-de data/multi30k.en-de-distilled

# train
editmt train configs/cpu/multi30k.en-de-autoregressive-distilled.toml --out runs/multi30k.en-de-autoregressive-distilled --set run.threads=1 --set run.precision=bfloat16
editmt train configs/cpu/multi30k.en-de-levenshtein.toml --out runs/multi30k.en-de-levenshtein --set run.threads=1 --set run.precision=bfloat16
editmt train configs/cpu/multi30k.en-de-editor.toml --out runs/multi30k.en-de-editor --set run.threads=1 --set run.precision=bfloat16
editmt train configs/cpu/multi30k.en-de-editor-single-path.toml --out runs/multi30k.en-de-editor-single-path --set run.threads=1 --set run.precision=bfloat16

# decode-teacher
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/ar-beam4/nothing.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/ar-beam10/nothing.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/dba-beam4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/dba-beam4/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/dba-beam4/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/dba-beam4/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/dba-beam4/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/dba-beam10/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/dba-beam10/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/dba-beam10/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/dba-beam10/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/dba-beam10/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/words-2.jsonl > outputs/multi30k.en-de/answers/dba-beam4/words-2.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/words-4.jsonl > outputs/multi30k.en-de/answers/dba-beam4/words-4.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/words-6.jsonl > outputs/multi30k.en-de/answers/dba-beam4/words-6.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/words-8.jsonl > outputs/multi30k.en-de/answers/dba-beam4/words-8.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 4 < outputs/multi30k.en-de/requests/words-10.jsonl > outputs/multi30k.en-de/answers/dba-beam4/words-10.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/words-2.jsonl > outputs/multi30k.en-de/answers/dba-beam10/words-2.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/words-4.jsonl > outputs/multi30k.en-de/answers/dba-beam10/words-4.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/words-6.jsonl > outputs/multi30k.en-de/answers/dba-beam10/words-6.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/words-8.jsonl > outputs/multi30k.en-de/answers/dba-beam10/words-8.jsonl
editmt translate --model runs/multi30k.en-de-autoregressive --jsonl --beam 10 < outputs/multi30k.en-de/requests/words-10.jsonl > outputs/multi30k.en-de/answers/dba-beam10/words-10.jsonl

# decode-distilled
editmt translate --model runs/multi30k.en-de-autoregressive-distilled --jsonl --beam 10 < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/ar-distilled-beam10/nothing.jsonl

# decode-levenshtein
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/levenshtein/nothing.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/hard-1.jsonl > outputs/multi30k.en-de/answers/levenshtein-hard/hard-1.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/hard-2.jsonl > outputs/multi30k.en-de/answers/levenshtein-hard/hard-2.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/hard-3.jsonl > outputs/multi30k.en-de/answers/levenshtein-hard/hard-3.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/hard-4.jsonl > outputs/multi30k.en-de/answers/levenshtein-hard/hard-4.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/hard-5.jsonl > outputs/multi30k.en-de/answers/levenshtein-hard/hard-5.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/levenshtein-foreseen/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/levenshtein-foreseen/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/levenshtein-foreseen/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/levenshtein-foreseen/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/levenshtein-foreseen/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/words-2.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/words-2.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/words-4.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/words-4.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/words-6.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/words-6.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/words-8.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/words-8.jsonl
editmt translate --model runs/multi30k.en-de-levenshtein --jsonl < outputs/multi30k.en-de/requests/words-10.jsonl > outputs/multi30k.en-de/answers/levenshtein-soft/words-10.jsonl

# decode-editor
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/editor/nothing.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/editor-soft/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/editor-soft/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/editor-soft/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/editor-soft/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/hard-1.jsonl > outputs/multi30k.en-de/answers/editor-hard/hard-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/hard-2.jsonl > outputs/multi30k.en-de/answers/editor-hard/hard-2.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/hard-3.jsonl > outputs/multi30k.en-de/answers/editor-hard/hard-3.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/hard-4.jsonl > outputs/multi30k.en-de/answers/editor-hard/hard-4.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/hard-5.jsonl > outputs/multi30k.en-de/answers/editor-hard/hard-5.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/editor-foreseen/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/editor-foreseen/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/editor-foreseen/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/editor-foreseen/soft-5.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/hard-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-hard/hard-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/hard-2.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-hard/hard-2.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/hard-3.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-hard/hard-3.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/hard-4.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-hard/hard-4.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/hard-5.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-hard/hard-5.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/words-2.jsonl > outputs/multi30k.en-de/answers/editor-soft/words-2.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/words-4.jsonl > outputs/multi30k.en-de/answers/editor-soft/words-4.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/words-6.jsonl > outputs/multi30k.en-de/answers/editor-soft/words-6.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/words-8.jsonl > outputs/multi30k.en-de/answers/editor-soft/words-8.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl < outputs/multi30k.en-de/requests/words-10.jsonl > outputs/multi30k.en-de/answers/editor-soft/words-10.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 0.5 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 8 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-soft-8/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-0/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 0.5 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 1 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 2 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 4 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor --jsonl --strength 8 --foresight 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/editor-foreseen-8/soft-1.jsonl

# decode-single_path
editmt translate --model runs/multi30k.en-de-editor-single-path --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/single_path-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-single-path --jsonl < outputs/multi30k.en-de/requests/soft-2.jsonl > outputs/multi30k.en-de/answers/single_path-soft/soft-2.jsonl
editmt translate --model runs/multi30k.en-de-editor-single-path --jsonl < outputs/multi30k.en-de/requests/soft-3.jsonl > outputs/multi30k.en-de/answers/single_path-soft/soft-3.jsonl
editmt translate --model runs/multi30k.en-de-editor-single-path --jsonl < outputs/multi30k.en-de/requests/soft-4.jsonl > outputs/multi30k.en-de/answers/single_path-soft/soft-4.jsonl
editmt translate --model runs/multi30k.en-de-editor-single-path --jsonl < outputs/multi30k.en-de/requests/soft-5.jsonl > outputs/multi30k.en-de/answers/single_path-soft/soft-5.jsonl

# latency
# (within `editmt reproduce multi30k.en-de`: there is no command for it alone)

# report-so-far
editmt reproduce multi30k.en-de --report

# train-own-canvases
editmt train configs/cpu/multi30k.en-de-editor-own-canvases.toml --out runs/multi30k.en-de-editor-own-canvases --set run.threads=1 --set run.precision=bfloat16

# decode-own-canvases
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl --strength 0.5 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl --strength 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl --strength 2 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl --strength 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl --strength 8 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/own-canvases-soft-8/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-own-canvases --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/own-canvases/nothing.jsonl

# train-paper-noise
editmt train configs/cpu/multi30k.en-de-editor-paper-noise.toml --out runs/multi30k.en-de-editor-paper-noise --set run.threads=1 --set run.precision=bfloat16

# decode-paper-noise
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl --strength 0.5 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl --strength 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl --strength 2 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl --strength 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl --strength 8 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/paper-noise-soft-8/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-paper-noise --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/paper-noise/nothing.jsonl

# train-prefer-reposition
editmt train configs/cpu/multi30k.en-de-editor-prefer-reposition.toml --out runs/multi30k.en-de-editor-prefer-reposition --set run.threads=1 --set run.precision=bfloat16

# decode-prefer-reposition
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl --strength 0.5 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl --strength 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl --strength 2 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl --strength 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl --strength 8 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/prefer-reposition-soft-8/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-prefer-reposition --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/prefer-reposition/nothing.jsonl

# train-undistilled
editmt train configs/cpu/multi30k.en-de-editor-undistilled.toml --out runs/multi30k.en-de-editor-undistilled --set run.threads=1 --set run.precision=bfloat16

# decode-undistilled
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl --strength 0.5 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft-0.5/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl --strength 1 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft-1/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl --strength 2 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft-2/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl --strength 4 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft-4/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl --strength 8 < outputs/multi30k.en-de/requests/soft-1.jsonl > outputs/multi30k.en-de/answers/undistilled-soft-8/soft-1.jsonl
editmt translate --model runs/multi30k.en-de-editor-undistilled --jsonl < outputs/multi30k.en-de/requests/nothing.jsonl > outputs/multi30k.en-de/answers/undistilled/nothing.jsonl

# report
editmt reproduce multi30k.en-de --report
