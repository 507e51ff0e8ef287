// Correct sentences with Harper: JSON in (an array of texts), JSON out ({texts, seconds, resident}).
// Run: node harper.mjs FOLDER < texts.json, where FOLDER is where `npm install harper.js` was run.
// Every finding is corrected with its first suggestion, from right to left, overlapping ones left out.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = resolve(process.argv[2], 'node_modules/harper.js/dist');
const load = (file) => import(pathToFileURL(resolve(dist, file)));
const { Dialect, LocalLinter, SuggestionKind } = await load('index.js');
const { binaryInlined } = await load('binaryInlined.js');

const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });
await linter.setup();
await linter.lint('He go to school every days.');

async function correct(source) {
  const lints = (await linter.lint(source, { language: 'plaintext' })).filter((lint) => lint.suggestion_count() > 0);
  lints.sort((a, b) => b.span().start - a.span().start);
  let text = source;
  let before = source.length; // spans count UTF-16 units, as strings here do
  for (const lint of lints) {
    const { start, end } = lint.span();
    if (end > before) continue;
    const suggestion = lint.suggestions()[0];
    const kind = suggestion.kind();
    const replacement = kind === SuggestionKind.Remove ? '' : suggestion.get_replacement_text();
    text = text.slice(0, kind === SuggestionKind.InsertAfter ? end : start) + replacement + text.slice(end);
    before = start;
  }
  return text;
}

const sources = JSON.parse(readFileSync(0, 'utf-8'));
const begin = process.cpuUsage();
const texts = [];
for (const source of sources) texts.push(await correct(source));
const used = process.cpuUsage(begin);
const seconds = (used.user + used.system) / 1e6;
console.log(JSON.stringify({ texts, seconds, resident: process.memoryUsage().rss }));
