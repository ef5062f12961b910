// The translation: words that can be locked and changed, shaded by doubt, with the terms marked.

import { length, slice } from "./text.js";

const STATUS = { used: ["used", "✓ "], "other form": ["other", "≈ "], dropped: ["dropped", "✗ "] };

/** Cut a translation into its words and what is between them: [{text, start, end, word, confidence}]. */
export function cutWords(translation) {
  const parts = [], end = length(translation.text);
  const words = translation.words.length ? translation.words : byWhiteSpace(translation.text);
  let done = 0;
  const add = (from, to, word, confidence) => {
    if (to > from) parts.push({ text: slice(translation.text, from, to), start: from, end: to, word, confidence });
  };
  for (const { span: [from, to], confidence } of words) {
    add(done, from, false, 1);
    add(from, to, true, confidence);
    done = to;
  }
  add(done, end, false, 1);
  return parts;
}

function byWhiteSpace(text) {
  return [...text.matchAll(/\S+/gu)].map((match) => {
    const start = length(text.slice(0, match.index));
    return { span: [start, start + length(match[0])], confidence: 1 };
  });
}

export class Output {
  /** `changed` is called when a word was locked, unlocked or changed; `chosen` with a sentence's number. */
  constructor(root, { changed, chosen }) {
    Object.assign(this, { root, changed, chosen });
    root.addEventListener("click", (event) => this.onClick(event));
    root.addEventListener("dblclick", (event) => this.onDoubleClick(event));
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("focusin", (event) => this.onFocus(event.target.closest(".word")));
  }

  show(sentences, after, current) {
    this.sentences = sentences;
    this.root.replaceChildren();
    sentences.forEach((sentence, number) => {
      const node = document.createElement("span");
      node.className = "sentence" + (sentences.length > 1 && number === current ? " chosen" : "");
      node.append(...sentence.parts.map((part, place) => this.draw(part, sentence, number, place)));
      this.root.append(sentence.before, node);
    });
    this.root.append(after);
    this.onFocus(this.root.querySelector(".word"));
  }

  /** One word can be reached by Tab, the others from there by arrows: a long text is no obstacle. */
  onFocus(node) {
    if (!node) return;
    this.root.querySelectorAll('.word[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    node.tabIndex = 0;
  }

  draw(part, sentence, number, place) {
    if (!part.word) return document.createTextNode(part.text);
    const node = document.createElement("span");
    const term = sentence.translation.terms.some(({ span }) => span && span[0] < part.end && part.start < span[1]);
    node.className = "word" + (term ? " term" : "");
    Object.assign(node, { textContent: part.text, tabIndex: -1, role: "button" });
    Object.assign(node.dataset, { number, place });
    node.setAttribute("aria-pressed", String(Boolean(part.locked)));
    node.title = `${Math.round(part.confidence * 100)} % sure`;
    node.style.setProperty("--doubt", ((1 - part.confidence) * 0.55).toFixed(3));
    return node;
  }

  part(node) {
    return this.sentences[node.dataset.number].parts[node.dataset.place];
  }

  onClick(event) {
    const node = event.target.closest(".word");
    if (!node || node.querySelector("input")) return;
    this.chosen(Number(node.dataset.number));
    if (event.detail <= 1) this.lock(node);
  }

  onDoubleClick(event) {
    const node = event.target.closest(".word");
    if (!node || node.querySelector("input")) return;
    this.lock(node); // as it was before the first of the two clicks
    this.edit(node);
  }

  lock(node, on = !this.part(node).locked) {
    this.part(node).locked = on;
    node.setAttribute("aria-pressed", String(on));
    this.changed();
  }

  onKey(event) {
    const node = event.target.closest(".word");
    if (!node || event.target.tagName === "INPUT") return;
    if (event.ctrlKey || event.metaKey) return;
    const words = [...this.root.querySelectorAll(".word")], here = words.indexOf(node);
    const goals = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: words.length - 1 };
    if (event.key in goals) words[goals[event.key]]?.focus();
    else if (event.key === " " || event.key === "Enter") { this.chosen(Number(node.dataset.number)); this.lock(node); }
    else if (event.key === "F2") this.edit(node);
    else return;
    event.preventDefault();
  }

  /** Let the user type another word, which is locked then. */
  edit(node) {
    if (!node || node.querySelector("input")) return;
    const part = this.part(node), input = document.createElement("input");
    let left = false;
    const leave = (keep, stay) => {
      if (left) return;
      left = true;
      if (keep && input.value.trim()) part.text = input.value.trim();
      node.textContent = part.text;
      if (stay) node.focus();
      if (keep) this.lock(node, true);
    };
    Object.assign(input, { value: part.text, ariaLabel: "Another word" });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") leave(true, true);
      if (event.key === "Escape") leave(false, true);
    });
    input.addEventListener("blur", () => leave(input.value !== part.text, false));
    node.replaceChildren(input);
    input.select();
  }
}

/** Return a sentence as a draft with its locked characters, if anything in it is locked. */
export function makeDraft(parts) {
  let draft = "";
  const locked = [];
  for (const part of parts) {
    if (part.locked) locked.push([length(draft), length(draft) + length(part.text)]);
    draft += part.text;
  }
  return locked.length ? { draft, locked } : {};
}

export function drawReport(list, sentences) {
  const terms = sentences.flatMap(({ translation }) => translation.terms);
  list.replaceChildren(...terms.map(({ term, hard, status, form }) => {
    const [name, mark] = STATUS[status], node = document.createElement("li");
    node.className = name;
    node.dataset.status = status;
    node.textContent = mark + (status === "other form" ? `${term}: ${form}` : term);
    node.title = `${hard ? "must have" : "suggested"}: ${status}`;
    return node;
  }));
}
