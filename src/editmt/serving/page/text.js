// Texts and places in them. The server counts code points, JavaScript UTF-16 units: only this file knows both.

export function slice(text, start, end) {
  return Array.from(text).slice(start, end).join("");
}

export function length(text) {
  return Array.from(text).length;
}

/** Cut a text into sentences and the white space around them: [{before, source}], and what is left in `after`. */
export function cut(text, language) {
  const sentences = [];
  let before = "";
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  for (const line of text.split(/(\n+)/)) {
    for (const { segment } of segmenter.segment(line)) {
      const source = segment.trim();
      if (source === "") { before += segment; continue; }
      const start = segment.indexOf(source);
      sentences.push({ before: before + segment.slice(0, start), source });
      before = segment.slice(start + source.length);
    }
  }
  return { sentences, after: before };
}

/** Read "sofa → Couch", "sofa = Couch", "sofa	Couch", or "Couch" alone; null is what has but one side of an arrow. */
export function readTerm(given, kind) {
  const [left, right] = given.split(/\s*(?:→|->|=|\t)\s*/, 2).map((part) => part.trim());
  if (!left || right === "") return null;
  if (kind === "verbatim") return { source: left, target: null, kind };
  return right ? { source: left, target: right, kind } : { source: null, target: left, kind };
}

/** Put terms into what the server is asked: those without a source stand for the chosen sentence only. */
export function wishes(terms, chosen) {
  const wish = { terms: [], hard: [], forbidden: [], entries: [] };
  for (const { source, target, kind } of terms) {
    if (kind === "verbatim") wish.entries.push({ source, kind });
    else if (source !== null) wish.entries.push({ source, target, kind });
    else if (kind === "forbidden") wish.forbidden.push(target);
    else if (chosen) (kind === "hard" ? wish.hard : wish.terms).push(target);
  }
  return wish;
}
