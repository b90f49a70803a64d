import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playExamples } from '../../examples/play';

/** `npm run examples` writes this file; the OpenAPI documents contain it. */
const FILE = join(__dirname, '../../../src/pages/examples.json');

it('the examples of the OpenAPI documents are what a server with the sample responds', async () => {
  const examples = JSON.parse(JSON.stringify(await playExamples())) as unknown;
  if (process.env.WRITE_EXAMPLES) writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
  expect(examples).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});
