// The server: every request goes through here.

const STORED = "editmt-key";
export const key = {
  get: () => sessionStorage.getItem(STORED) || "",
  set: (value) => sessionStorage.setItem(STORED, value),
};

export class Refused extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (key.get()) headers.authorization = `Bearer ${key.get()}`;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The server does not answer.");
  }
  const body = await answer.json().catch(() => ({})); // none, or a proxy's page
  if (!answer.ok) throw new Refused(answer.status, body.message || `The server said ${answer.status}.`);
  return body;
}

export const models = () => ask("v1/models");
export const addGlossary = (file) =>
  ask(`v1/glossaries?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } });
export const removeGlossary = (id) => ask(`v1/glossaries/${encodeURIComponent(id)}`, { method: "DELETE" });
export const translate = (body, signal) =>
  ask("v1/translate", { method: "POST", signal, body: JSON.stringify(body), headers: { "content-type": "application/json" } });
