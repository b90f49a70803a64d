// Writes programs that call every operation with the parameters of its example: one with openapi-fetch, one with
// the functions of @hey-api/openapi-ts, and the examples of the documentation, which use our client.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');
const built = (name) => require(join(root, 'dist/src/docs/reference', name));
const { readReference } = built('api-reference.js');
const { sampleRequest } = built('sample-request.js');
const { sampleOf } = built('samples.js');

const out = process.argv[2];
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
const { operations } = readReference(document);

const object = (values) =>
  `{ ${values.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')} }`;

const members = (operation, names) => {
  const request = sampleRequest(operation);
  const parts = names.filter((name) => request[name].length > 0);
  return parts.map((name) => `${name}: ${object(request[name])}`);
};

const fetches = operations.map((operation) => {
  const params = `params: { ${members(operation, ['path', 'query']).join(', ')} }`;
  const parts = [params, ...members(operation, ['body'])].join(', ');
  return `  await client.${operation.method}('${operation.path}', { ${parts} });`;
});
const calls = operations.map(
  (operation) =>
    `  await api.${operation.id}({ client, ${members(operation, ['path', 'query', 'body']).join(', ')} });`,
);

writeFileSync(
  join(out, 'openapi-fetch.ts'),
  `import createClient from 'openapi-fetch';
import type { paths } from './schema';

export async function callAll(): Promise<void> {
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
${fetches.join('\n')}
}
`,
);
writeFileSync(
  join(out, 'hey-api.ts'),
  `import * as api from './generated';
import { createClient } from './generated/client';

export async function callAll(): Promise<void> {
  const client = createClient({ baseUrl: 'http://127.0.0.1' });
${calls.join('\n')}
}
`,
);
mkdirSync(join(out, 'samples'));
for (const operation of operations) {
  const sample = sampleOf(operation, 'typescript', 'http://127.0.0.1');
  writeFileSync(join(out, 'samples', `${operation.id}.ts`), `${sample}\n`);
}
const compilerOptions = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  strict: true,
  noEmit: true,
};
writeFileSync(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
