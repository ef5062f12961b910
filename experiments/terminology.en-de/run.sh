#!/usr/bin/env bash
# Terminology (the paper's Table 6) with the model inside the package: Dinu et al.'s two sets, and LibreOffice's
# help. Writes NAME.md and NAME.json here, a minute or two a set:  bash experiments/terminology.en-de/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${1:-../shared/data}
here=experiments/terminology.en-de
work=outputs/terminology.en-de
mkdir -p "$work"

evaluate() { # NAME SET
    jq -r .reference "$data/$2" > "$work/$1.de"
    jq -c '{source}' "$data/$2" > "$work/$1-none.jsonl"
    editmt sample-constraints --terminology "$data/$2" > "$work/$1-soft.jsonl"
    editmt sample-constraints --terminology "$data/$2" --hard > "$work/$1-hard.jsonl"
    local wish
    for wish in none soft hard; do
        editmt translate --jsonl < "$work/$1-$wish.jsonl" > "$work/$1-$wish.answers.jsonl"
    done
    # the paper's soft constraints: no strength, and the words where they are given
    editmt translate --jsonl --strength 0 --foresight 0 \
        < "$work/$1-soft.jsonl" > "$work/$1-paper.answers.jsonl"
    local form
    for form in markdown json; do
        editmt evaluate --reference "$work/$1.de" --constraints "$work/$1-soft.jsonl" --lemmas de \
            --tokenise moses:de "--$form" "without terms=$work/$1-none.answers.jsonl" \
            "soft as in the paper=$work/$1-paper.answers.jsonl" "soft=$work/$1-soft.answers.jsonl" \
            "hard=$work/$1-hard.answers.jsonl" > "$here/$1.${form/markdown/md}"
    done
}

evaluate wiktionary dinu2019.en-de/wikt.727.jsonl
evaluate iate dinu2019.en-de/iate.414.jsonl
evaluate libreoffice libreoffice.en-de/terminology-test.jsonl
