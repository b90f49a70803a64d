// Prints a digest of docs/openapi.json without its texts: of everything that types depend on.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const TEXTS = new Set(['description', 'summary', 'example', 'examples', 'x-error-codes']);

/** The value without members that do not change types. */
function withoutTexts(value, inProperties = false) {
  if (Array.isArray(value)) return value.map((element) => withoutTexts(element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => inProperties || !TEXTS.has(name))
      .map(([name, member]) => [name, withoutTexts(member, name === 'properties')]),
  );
}

/** SHA-256 in hexadecimal. @param {string} json the text of the document */
exports.digestOf = (json) =>
  createHash('sha256')
    .update(JSON.stringify(withoutTexts(JSON.parse(json))))
    .digest('hex');

if (require.main === module) {
  console.log(exports.digestOf(readFileSync(join(__dirname, '../docs/openapi.json'), 'utf8')));
}
