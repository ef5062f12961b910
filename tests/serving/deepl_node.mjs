// What deepl-node needs of a server: `node deepl_node.mjs URL` prints "content", or fails.
import assert from "node:assert/strict";
import * as deepl from "deepl-node";

const client = new deepl.DeepLClient("any", { serverUrl: process.argv[2], maxRetries: 0 });
const text = "The old sea.";

const one = await client.translateText(text, null, "de");
assert.equal(one.text, text);
assert.equal(one.detectedSourceLang, "en");
assert.equal(one.billedCharacters, 12);
const several = await client.translateText([text, "A man & a = b."], "en", "de");
assert.deepEqual(several.map((each) => each.text), [text, "A man & a = b."]);

assert.deepEqual((await client.getSourceLanguages()).map((each) => each.code), ["en"]);
assert.deepEqual((await client.getTargetLanguages()).map((each) => each.code), ["de"]);
assert.equal((await client.getUsage()).anyLimitReached(), false);
assert.deepEqual(await client.getGlossaryLanguagePairs(), [{ sourceLang: "en", targetLang: "de" }]);

const entries = new deepl.GlossaryEntries({ entries: { sea: "Meer", "old ship": "altes Schiff" } });
const glossary = await client.createGlossary("node", "en", "de", entries);
assert.equal(glossary.entryCount, 2);
assert.ok((await client.listGlossaries()).some((each) => each.glossaryId === glossary.glossaryId));
assert.deepEqual((await client.getGlossaryEntries(glossary)).entries(), entries.entries());
const used = await client.translateText(text, "en", "de", { glossary });
assert.match(used.text, /Meer/);
await client.deleteGlossary(glossary);
await assert.rejects(client.getGlossary(glossary.glossaryId), deepl.GlossaryNotFoundError);

const dictionary = { sourceLangCode: "en", targetLangCode: "de", entries };
const many = await client.createMultilingualGlossary("many", [dictionary]);
assert.equal(many.dictionaries[0].entryCount, 2);
const renamed = await client.updateMultilingualGlossaryName(many, "renamed");
assert.equal(renamed.name, "renamed");
const csv = await client.replaceMultilingualGlossaryDictionaryWithCsv(many, "en", "de", "sea,See\n");
assert.equal(csv.entryCount, 1);
const found = await client.getMultilingualGlossaryDictionaryEntries(many, "en", "de");
assert.deepEqual(found.entries.entries(), { sea: "See" });
await client.deleteMultilingualGlossaryDictionary(many, "en", "de");
await client.deleteMultilingualGlossary(many);

await assert.rejects(client.translateText(text, null, "fr"), (error) =>
  error instanceof deepl.DeepLError && /not supported/.test(error.message));
console.log("content");
