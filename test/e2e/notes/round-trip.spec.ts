import fc from 'fast-check';
import { cleanText } from '../../../src/api/input/text-input';
import { parseNote } from '../../../src/text/note-markup';
import { CONTENT } from '../../factories/note-contents';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

const NOTES = 300;
const AT_ONCE = 10;

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '300' } });
  const make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
});
afterAll(() => harness.close());

const send = async (method: string, path: string, content: string): Promise<string> => {
  const body = new URLSearchParams({ title: 't', content });
  const response = await harness.call(path, { method, token, body });
  expect(response.status).toBe(method === 'POST' ? 201 : 202);
  return `/v2/note/${response.body.id}`;
};
const read = async (path: string, format: string): Promise<string> =>
  (await harness.call(`${path}?format=${format}`, { token })).body.content;

/** Writes a note, reads it, and writes what was read. */
async function thereAndBack(content: string): Promise<void> {
  const path = await send('POST', '/v2/notes', content);
  const [text, html] = [await read(path, 'text'), await read(path, 'html_full')];
  await send('PUT', path, text);
  const [again, htmlAgain] = [await read(path, 'text'), await read(path, 'html_full')];
  expect([content, again, htmlAgain]).toEqual([content, text, html]);
  expect(parseNote(again)).toEqual(parseNote(text));
}

it(`${NOTES} notes that are written back as they were read do not change`, async () => {
  // Blank text is rejected; anything else may be a note.
  const written = CONTENT.filter((one) => cleanText(one).replace(/\p{Cf}/gu, '') !== '');
  const contents = fc.sample(written, { numRuns: NOTES, seed: 4711 });
  expect(contents).toHaveLength(NOTES);
  for (let at = 0; at < NOTES; at += AT_ONCE) {
    await Promise.all(contents.slice(at, at + AT_ONCE).map(thereAndBack));
  }
}, 300_000);
