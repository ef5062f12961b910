// The edit player: replays a trace, so that each token keeps its identity while it moves.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const STEP_MS = 900;
const NAMES = { first: "start", reposition: "move and delete", placeholders: "make room", tokens: "fill in words" };

/** Count how often a sentence was gone over: by the model, and where a wish was not fulfilled, once more to mend it. */
export function countPasses(trace) {
  return makeFrames(trace).at(-1).pass;
}

/** Turn a trace into frames: lists of tokens {id, piece, state}, with the pass and the edits of each. */
export function makeFrames(trace) {
  let next = 0;
  const fresh = (piece, state) => ({ id: next++, piece, state });
  let tokens = trace.first.map((piece) => fresh(piece, "kept"));
  const frames = [{ name: "first", pass: 1, tokens, moved: 0, deleted: 0, inserted: 0 }];
  let pass = 1;
  trace.steps.forEach((step, number) => {
    if (step.action === "reposition" && number > 0) pass += 1;
    const frame = { name: step.action, pass, moved: 0, deleted: 0, inserted: 0 };
    if (step.action === "reposition") tokens = reposition(tokens, step, frame, fresh);
    else if (step.action === "placeholders") tokens = insert(tokens, step, frame, fresh);
    else tokens = tokens.map((token, place) =>
      token.piece === step.canvas[place] ? { ...token, state: token.state === "slot" ? "slot" : "kept" } : { ...token, piece: step.canvas[place], state: "new" });
    frame.tokens = tokens;
    frames.push(frame);
  });
  return frames;
}

function reposition(tokens, step, frame, fresh) {
  const last = tokens.length - 1, taken = new Set(), after = [{ ...tokens[0], state: "kept" }];
  for (let place = 1; place < last; place += 1) {
    const from = step.index[place];
    if (from <= 0 || from >= last) { frame.deleted += 1; continue; }
    if (from !== place) frame.moved += 1;
    const token = tokens[from], state = from === place ? "kept" : "moved";
    after.push(taken.has(from) ? fresh(token.piece, state) : { ...token, state });
    taken.add(from);
  }
  let before = tokens[0].id; // what is gone is shown after the token it stood behind
  frame.gone = tokens.slice(1, last).flatMap((token, place) => {
    if (!taken.has(place + 1)) return [{ ...token, state: "gone", behind: before }];
    before = token.id;
    return [];
  });
  after.push({ ...tokens[last], state: "kept" });
  return after;
}

function insert(tokens, step, frame, fresh) {
  const after = [];
  tokens.forEach((token, place) => {
    after.push({ ...token, state: "kept" });
    for (let count = step.count[place] || 0; count > 0; count -= 1) {
      after.push(fresh(step.canvas[after.length], "slot"));
      frame.inserted += 1;
    }
  });
  return after;
}

export class Player {
  constructor(root) {
    const find = (id) => root.querySelector("#" + id);
    Object.assign(this, { root, stage: find("stage"), slider: find("step"), name: find("step-name") });
    Object.assign(this, { playButton: find("play"), table: root.querySelector("tbody"), timer: null, frames: [] });
    this.playButton.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    find("back").addEventListener("click", () => { this.pause(); this.show(this.now - 1); });
    find("forward").addEventListener("click", () => { this.pause(); this.show(this.now + 1); });
    this.slider.addEventListener("input", () => { this.pause(); this.show(Number(this.slider.value)); });
  }

  get now() { return Number(this.slider.value); }

  load(trace) {
    this.pause();
    this.root.hidden = !trace;
    if (!trace) return;
    this.frames = makeFrames(trace);
    this.slider.max = this.frames.length - 1;
    this.stage.replaceChildren();
    this.count();
    this.show(this.frames.length - 1, true);
  }

  play() {
    if (this.now >= this.frames.length - 1) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.now + 1);
      if (this.now >= this.frames.length - 1) this.pause();
    }, STEP_MS);
    this.playButton.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
  }

  /** Show a frame; tokens that were there move from where they were. */
  show(number, still = STILL.matches) {
    const place = Math.max(0, Math.min(number, this.frames.length - 1)), frame = this.frames[place];
    const old = new Map([...this.stage.children].map((node) => [node.dataset.id, node.getBoundingClientRect()]));
    this.slider.value = place;
    this.name.textContent = `${NAMES[frame.name]} · pass ${frame.pass}`;
    const goneBehind = (id) => (frame.gone || []).filter(({ behind }) => behind === id);
    this.stage.replaceChildren(...frame.tokens.flatMap((token) => [token, ...goneBehind(token.id)]).map(drawToken));
    if (!still) for (const node of this.stage.children) animate(node, old.get(node.dataset.id));
    for (const row of this.table.rows) row.classList.toggle("now", Number(row.dataset.pass) === frame.pass);
  }

  count() {
    const passes = new Map();
    for (const { pass, moved, deleted, inserted } of this.frames) {
      const sum = passes.get(pass) || [0, 0, 0];
      passes.set(pass, [sum[0] + moved, sum[1] + deleted, sum[2] + inserted]);
    }
    this.table.replaceChildren(...[...passes].map(([pass, sums]) => {
      const row = document.createElement("tr");
      row.dataset.pass = pass;
      row.append(...[pass, ...sums].map((value) => Object.assign(document.createElement("td"), { textContent: value })));
      return row;
    }));
  }
}

function drawToken({ id, piece, state }) {
  const node = document.createElement("span"), edge = piece === "<s>" || piece === "</s>";
  const slot = piece === "<plh>";
  const begins = piece.startsWith("▁") || edge || slot;
  node.dataset.id = id;
  node.className = `token ${edge ? "edge" : slot ? "slot" : state}${begins ? "" : " joined"}`;
  node.textContent = slot ? "▢" : edge ? (piece === "<s>" ? "⟨" : "⟩") : piece.replaceAll("▁", "") || "␣";
  return node;
}

function animate(node, old) {
  if (!old) {
    node.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], 300);
    return;
  }
  const now = node.getBoundingClientRect();
  const x = old.left - now.left, y = old.top - now.top;
  if (x || y) node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
}
