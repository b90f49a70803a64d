import { Readable } from 'node:stream';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { type ImportError } from '../../../src/import-export/engine/import-options';
import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { BASE_URL } from '../../settings';
import { type Imported } from '../../db/import-export/transfer';
import { send } from '../notes/parts';
import { someJpeg, startWithPictures } from './pictures';

/** A response of the API: members of a note or an annotation. */
type Wire = Record<string, unknown> & {
  readonly id: string;
  readonly photos: Readonly<Record<string, string>>;
};

let harness: Harness;
let make: Factories;
let token: string;
let authorId: number;
beforeAll(async () => {
  harness = await startWithPictures();
  make = new Factories(harness.database);
  authorId = (await make.aUser()).id;
  token = await harness.token({ userId: authorId });
});
afterAll(() => harness.close());

type Kind = 'annotation' | 'note';
type Text = readonly [kind: Kind, visibility: 'public' | 'private'];
const TEXTS: readonly Text[] = [
  ['annotation', 'public'],
  ['annotation', 'private'],
  ['note', 'public'],
  ['note', 'private'],
];

/** Creates a text with a picture. @returns its path */
async function create([kind, visibility]: Text): Promise<string> {
  const isNote = kind === 'note';
  const note = { title: 't', content: 'text', pids: 'p_1', image_1: await someJpeg(), privacy: '' };
  const annotation = { content: 'It shows <图片 n="1"> here, quite well.', page: '3' };
  const { status, body } = isNote
    ? await send(harness, token, 'POST', '/v2/notes', { ...note, privacy: visibility })
    : await send(harness, token, 'POST', `/v2/book/${await make.aBook()}/annotations`, {
        ...{ ...annotation, '1': await someJpeg() },
        privacy: visibility,
      });
  expect(status).toBe(201);
  return isNote ? `/v2/note/${body.id}` : `/v2/book/annotation/${body.id}`;
}

const read = async (path: string): Promise<Wire> =>
  (await harness.call(`${path}?format=text`, { token })).body as Wire;

async function importRecord(kind: Kind, record: unknown): Promise<Imported> {
  const faults: ImportError[] = [];
  const stream = Readable.from([Buffer.from(JSON.stringify(record))]);
  const summary = await harness.app
    .get(ImportService, { strict: false })
    // Responses with a note do not name its author.
    .import(kind, 'file', stream, { of: authorId, onError: (fault) => faults.push(fault) });
  return { summary, faults };
}

/** The stored pictures of a text. */
const stored = (kind: Kind, { id }: Wire): Promise<unknown> =>
  harness.source.query(
    `SELECT t.photos, u.number, encode(u.hash, 'hex') AS hash, u.private
     FROM ${kind}s t LEFT JOIN picture_uses u ON u.subject = $1 AND u.subject_id = t.id
     WHERE t.id = $2`,
    [kind, id],
  );

/** Expects that the text is stored with its picture, which is served. */
async function expectPicture([kind]: Text, path: string, before: unknown): Promise<void> {
  const text = await read(path);
  expect(await stored(kind, text)).toEqual(before);
  const address = text.photos['1'] ?? '';
  expect(address).toContain(`${BASE_URL}/pictures/u/`);
  expect((await harness.call(address.slice(BASE_URL.length))).status).toBe(200);
}

describe.each(TEXTS)('the response with a %s that is %s and has a picture', (...text) => {
  const [kind, visibility] = text;
  let path: string;
  let response: Wire;
  let before: unknown;
  beforeEach(async () => {
    path = await create(text);
    response = await read(path);
    before = await stored(kind, response);
    expect(before).toEqual([
      {
        photos: { 1: expect.stringMatching(/^\/pictures\/u\/[0-9a-f]{64}-l\.jpg$/) as string },
        number: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        private: visibility === 'private',
      },
    ]);
    const isSigned = response.photos['1']?.includes('?ck=');
    expect(isSigned).toBe(visibility === 'private');
  });

  it('is imported as unchanged', async () => {
    const { summary, faults } = await importRecord(kind, response);
    expect({ summary, faults }).toMatchObject({ summary: { skipped: 1 }, faults: [] });
    await expectPicture(text, path, before);
  });

  it('keeps the picture with another content', async () => {
    const changed = { ...response, content: 'Another content, with the same picture.' };
    const { summary, faults } = await importRecord(kind, changed);
    expect({ summary, faults }).toMatchObject({ summary: { updated: 1 }, faults: [] });
    expect((await read(path)).content).toBe(changed.content);
    await expectPicture(text, path, before);
  });

  it('has the same picture with the path alone', async () => {
    const photos = { 1: response.photos['1']?.slice(BASE_URL.length) };
    const { summary, faults } = await importRecord(kind, { ...response, photos });
    expect({ summary, faults }).toMatchObject({ summary: { skipped: 1 }, faults: [] });
    await expectPicture(text, path, before);
  });

  it('has only the address of a picture of another service', async () => {
    const address = response.photos['1']?.replace(BASE_URL, 'https://other.example') ?? '';
    const { summary } = await importRecord(kind, { ...response, photos: { 1: address } });
    expect(summary).toMatchObject({ updated: 1 });
    expect((await read(path)).photos).toEqual({ 1: address });
    expect(await stored(kind, response)).toMatchObject([{ photos: { 1: address }, hash: null }]);
    // It stays such an address.
    const again = await importRecord(kind, await read(path));
    expect(again.summary).toMatchObject({ skipped: 1 });
  });
});

describe.each(['annotation', 'note'] as const)(
  'the address of a private picture, in a %s',
  (kind) => {
    const text: Text = [kind, 'private'];

    it.each([
      ['with another number', (photos: Wire['photos']) => ({ 2: photos['1'] })],
      ['of another text', async () => (await read(await create(text))).photos],
    ])('is rejected %s', async (_name, photosOf) => {
      const path = await create(text);
      const response = await read(path);
      const before = await stored(kind, response);
      const photos = await photosOf(response.photos);
      const { summary, faults } = await importRecord(kind, { ...response, photos });
      expect(summary).toMatchObject({ failed: 1 });
      expect(faults[0]?.reason).toContain('is the address of a private picture');
      await expectPicture(text, path, before);
    });

    it('is stored as it is with a new text, whose pictures are not in the response', async () => {
      const response = await read(await create(text));
      const id = String(Number(response.id) + 1_000_000);
      const { summary } = await importRecord(kind, { ...response, id });
      expect(summary).toMatchObject({ imported: 1 });
      expect(await stored(kind, { ...response, id })).toMatchObject([
        { photos: response.photos, hash: null },
      ]);
      // Exports of such texts are imported unchanged.
      const again = await importRecord(kind, { ...response, id });
      expect(again.summary).toMatchObject({ skipped: 1 });
    });

    it('is the current picture if the number has another one now', async () => {
      const path = await create(text);
      const response = await read(path);
      const [other] = (await stored(kind, await read(await create(text)))) as Wire[];
      const { photos, hash } = other as unknown as Wire & { readonly hash: string };
      await harness.source.query(`UPDATE ${kind}s SET photos = $1 WHERE id = $2`, [
        JSON.stringify(photos),
        response.id,
      ]);
      await harness.source.query(
        `UPDATE picture_uses SET hash = decode($1, 'hex') WHERE subject = $2 AND subject_id = $3`,
        [hash, kind, response.id],
      );
      const before = await stored(kind, response);
      expect((await importRecord(kind, response)).summary).toMatchObject({ skipped: 1 });
      await expectPicture(text, path, before);
    });
  },
);
