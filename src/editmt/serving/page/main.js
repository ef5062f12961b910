// The page: what the user has, what is asked, and what is shown.

import * as api from "./api.js";
import { Output, cutWords, drawReport, makeDraft } from "./output.js";
import { Player, countPasses } from "./player.js";
import { cut, readTerm, wishes } from "./text.js";

const find = (id) => document.getElementById(id);
const KINDS = ["soft", "hard", "forbidden", "verbatim"];
const KIND_NAMES = { soft: "suggest", hard: "must have", forbidden: "never", verbatim: "do not translate" };
const MOST_SENTENCES = 50;

const state = { terms: [], glossary: null, languages: ["en", "de"], sentences: [], after: "", current: 0, running: null };
const player = new Player(find("player"));
const output = new Output(find("output"), { changed: onLock, chosen: choose });

// ---- translating

async function translate() {
  const { sentences, after } = cut(find("source").value, state.languages[0]);
  if (sentences.length > MOST_SENTENCES) return say(`At most ${MOST_SENTENCES} sentences at a time.`, true);
  if (!sentences.length) return clear("There is no text to translate yet.");
  const old = state.sentences;
  state.current = Math.min(state.current, sentences.length - 1);
  const texts = sentences.map(({ source }, number) => ({
    text: source,
    ...wishes(state.terms, number === state.current),
    ...(old[number]?.source === source ? makeDraft(old[number].parts) : {}),
  }));
  state.running?.abort();
  const running = (state.running = new AbortController());
  find("output").classList.add("old");
  try {
    const began = performance.now();
    const body = { texts, trace: true, ...(state.glossary ? { glossary_id: state.glossary.id } : {}) };
    const answer = await api.translate(body, running.signal);
    show(sentences, after, answer, performance.now() - began);
  } catch (error) {
    if (error.name === "AbortError") return;
    fail(error);
  }
  find("output").classList.remove("old");
}

function show(sentences, after, answer, milliseconds) {
  state.after = after;
  state.sentences = sentences.map((sentence, number) => {
    const translation = answer.translations[number], previous = state.sentences[number];
    const parts = cutWords(translation);
    if (previous?.source === sentence.source) keepLocks(parts, previous.parts);
    return { ...sentence, translation, parts };
  });
  const passes = Math.max(...answer.translations.map(({ trace, iterations }) => (trace ? countPasses(trace) : iterations)));
  say(`${Math.round(milliseconds)} ms, of these ${Math.round(answer.milliseconds)} on the server · ${passes} ${passes === 1 ? "pass" : "passes"}`);
  draw();
}

/** What was locked stays so, in its order. */
function keepLocks(parts, previous) {
  const locked = previous.filter((part) => part.locked).map((part) => part.text);
  for (const part of parts) if (part.word && locked.length && part.text === locked[0]) { part.locked = true; locked.shift(); }
}

function draw() {
  output.show(state.sentences, state.after, state.current);
  drawReport(find("report"), state.sentences);
  player.load(state.sentences[state.current]?.translation.trace);
  onLock();
}

function clear(message) {
  state.running?.abort();
  find("output").classList.remove("old");
  Object.assign(state, { sentences: [], after: "" });
  say(message);
  draw();
}

function choose(number) {
  if (number === state.current) return;
  state.current = number;
  document.querySelectorAll(".sentence").forEach((node, place) => node.classList.toggle("chosen", place === number));
  player.load(state.sentences[number].translation.trace);
}

function onLock() {
  find("unlock").hidden = !state.sentences.some(({ parts }) => parts.some((part) => part.locked));
}

function say(message, bad = false) {
  find("status").textContent = message;
  find("status").classList.toggle("bad", bad);
}

function fail(error) {
  if (!(error instanceof api.Refused)) console.error(error);
  if (error.status === 401 || error.status === 403) { find("key-field").hidden = false; find("key").focus(); }
  say(error.message, true);
}

// ---- terms

function addTerm() {
  const term = readTerm(find("term").value, find("term-kind").value);
  if (!term) return say("A term is a word, or a word and its translation: sofa → Couch.", true);
  state.terms.push(term);
  find("term").value = "";
  if (find("status").classList.contains("bad")) say("");
  drawTerms();
}

/** Draw the terms again without one of them, and stay near it. */
function removeTerm(number, forget) {
  forget();
  drawTerms();
  const { children } = find("terms"), near = children[Math.min(number, children.length - 1)];
  (near?.querySelector("button:last-child") || find("term")).focus();
}

function drawTerms() {
  const chips = state.terms.map((term, number) => {
    const text = term.source && term.target ? `${term.source} → ${term.target}` : term.source || term.target;
    const chip = makeChip(term.kind, text, () => removeTerm(number, () => state.terms.splice(number, 1)));
    const kinds = term.source && term.target ? KINDS.slice(0, 3) : term.target ? KINDS.slice(0, 3) : ["verbatim"];
    const kind = makeButton(KIND_NAMES[term.kind], `Change “${KIND_NAMES[term.kind]}”`, () => {
      term.kind = kinds[(kinds.indexOf(term.kind) + 1) % kinds.length];
      drawTerms();
      find("terms").children[number].querySelector("button").focus();
    });
    kind.className = "kind";
    chip.prepend(kind);
    return chip;
  });
  if (state.glossary) {
    const { id, name, entries } = state.glossary;
    chips.push(makeChip("glossary", `${name} (${countTerms(entries)})`, () => {
      removeTerm(state.terms.length, () => { state.glossary = null; });
      api.removeGlossary(id).catch(fail);
    }));
  }
  find("terms").replaceChildren(...chips);
}

const countTerms = (count) => `${count} ${count === 1 ? "term" : "terms"}`;

function makeChip(kind, text, remove) {
  const chip = document.createElement("li");
  chip.className = kind;
  chip.append(text, makeButton("×", `Remove ${text}`, remove));
  return chip;
}

function makeButton(text, label, click) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: label });
  button.setAttribute("aria-label", label);
  button.addEventListener("click", click);
  return button;
}

async function loadGlossary(file) {
  try {
    const made = await api.addGlossary(file), old = state.glossary;
    state.glossary = made;
    if (old) api.removeGlossary(old.id).catch(fail);
    drawTerms();
    say(made.problems.length ? `${countTerms(made.entries)}; line ${made.problems[0].line}: ${made.problems[0].reason}` : countTerms(made.entries));
  } catch (error) {
    fail(error);
  }
}

// ---- sharing, themes, keys

function share() {
  const { terms } = state;
  const content = { text: find("source").value, terms: terms.map(({ source, target, kind }) => [source, target, kind]) };
  history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(content)));
  copy(location.href, "The address is copied.", "This page may not use the clipboard; the address bar has it.");
}

async function copy(text, done, failed) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(failed, true);
  }
}

function copyTranslation() {
  if (!state.sentences.length) return say("There is no translation to copy yet.", true);
  copy(find("output").textContent, "The translation is copied.", "This page may not use the clipboard; select the text instead.");
}

function readFragment() {
  if (location.hash.length < 2) return;
  try {
    const { text, terms } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    find("source").value = String(text);
    state.terms = terms.map(([source, target, kind]) => ({ source, target, kind })).filter(isTerm);
  } catch {
    return say("The address has no text that can be read.", true);
  }
  drawTerms();
  translate();
}

/** An address may say anything. */
function isTerm({ source, target, kind }) {
  const isText = (value) => typeof value === "string" && value !== "";
  if (kind === "verbatim") return isText(source) && target === null;
  return KINDS.includes(kind) && isText(target) && (source === null || isText(source));
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  find("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("editmt-theme", theme);
}

async function start() {
  setTheme(localStorage.getItem("editmt-theme") || "auto");
  listen();
  await meet();
  readFragment();
  document.documentElement.dataset.ready = "";
}

/** Ask what the server can; it may want a key. */
async function meet() {
  try {
    const [model] = (await api.models()).models;
    state.languages = [model.source_language, model.target_language];
    find("languages").textContent = `${state.languages.join(" → ")} · ${model.name}`;
    find("source").lang = state.languages[0];
    find("output").lang = state.languages[1];
    find("key-field").hidden = true;
    say("");
  } catch (error) {
    fail(error);
  }
}

function listen() {
  find("translate").addEventListener("click", translate);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); translate(); }
  });
  find("term-form").addEventListener("submit", (event) => {
    event.preventDefault();
    addTerm();
  });
  find("choose-file").addEventListener("click", () => find("file").click());
  find("file").addEventListener("change", ({ target }) => {
    if (target.files[0]) loadGlossary(target.files[0]);
    target.value = ""; // so that the same file can be chosen again
  });
  find("copy").addEventListener("click", copyTranslation);
  find("share").addEventListener("click", share);
  find("unlock").addEventListener("click", () => {
    for (const { parts } of state.sentences) for (const part of parts) part.locked = false;
    translate();
  });
  find("theme").addEventListener("click", () => {
    const themes = ["auto", "light", "dark"], now = localStorage.getItem("editmt-theme") || "auto";
    setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
  });
  find("key").addEventListener("change", (event) => { api.key.set(event.target.value.trim()); meet(); });
  listenForFiles(find("source-pane"));
}

function listenForFiles(pane) {
  const mark = (on) => (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    pane.classList.toggle("dropping", on);
  };
  pane.addEventListener("dragover", mark(true));
  pane.addEventListener("dragleave", mark(false));
  pane.addEventListener("drop", (event) => {
    mark(false)(event);
    if (event.dataTransfer?.files[0]) loadGlossary(event.dataTransfer.files[0]);
  });
}

start();
