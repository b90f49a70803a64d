import { PassThrough, Readable } from 'node:stream';
import { ImportService } from '../../../src/import-export/engine/import.service';
import {
  type ImportError,
  type ImportSummary,
} from '../../../src/import-export/engine/import-options';
import { atScale } from '../../figures';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, type Administrator } from './administrators';

let harness: Harness;
let one: Administrator;
let other: Administrator;

beforeAll(async () => {
  harness = await startHarness();
  one = await anAdministrator(harness);
  other = await anAdministrator(harness);
});

afterAll(() => harness.close());

const ROUNDS = atScale(300, 8);

function imported(kind: string, records: readonly object[]): Promise<ImportSummary> {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const input = Readable.from([Buffer.from(lines)]);
  return harness.app.get(ImportService, { strict: false }).import(kind, 'file', input);
}

type Wire = Readonly<Record<string, unknown>>;

/** Of each kind, what an import says of a record and what two administrators change, by round. */
const CASES: readonly [
  path: string,
  kind: string,
  title: string,
  base: Wire,
  changes: readonly [string, string],
][] = [
  ['subjects', 'movie', 'title', { subtype: 'movie', year: '1999' }, ['summary', 'website']],
  ['celebrities', 'celebrity', 'name', { gender: '女' }, ['summary', 'born_place']],
];

it.each(CASES)(
  '%s changed by an import and two administrators at once have all changes',
  async (path, kind, title, base, [mine, yours]) => {
    const address = (at: number): string =>
      mine === 'website' || yours === 'website' ? `https://example.org/${at}` : `b${at}`;
    for (let at = 1; at <= ROUNDS; at += 1) {
      const ids = [1, 2, 3].map((id) => id + 1000 * at);
      const records = ids.map((id) => ({ ...base, id, [title]: 'first', [mine]: 'first' }));
      await imported(kind, records);
      const later = ids.map((id) => ({ ...base, id, [title]: `t${at}` }));
      const responses = await Promise.all([
        imported(kind, later),
        ...ids.map((id) => one.put(`/${path}/${id}`, { [mine]: `a${at}` })),
        ...ids.map((id) => other.put(`/${path}/${id}`, { [yours]: address(at) })),
      ]);
      expect(responses[0]).toMatchObject({ failed: 0 });
      for (const id of ids) {
        const { body } = await one.get(`/${path}/${id}`);
        expect(body).toMatchObject({ [title]: `t${at}`, [mine]: `a${at}`, [yours]: address(at) });
      }
    }
  },
);

it('a book that an import replaces has the latest values of each request', async () => {
  for (let at = 1; at <= ROUNDS; at += 1) {
    const ids = [1, 2, 3].map((id) => id + 1000 * at);
    await imported(
      'book',
      ids.map((id) => ({ id, title: 'first', summary: 'first', publisher: 'first' })),
    );
    await Promise.all([
      imported(
        'book',
        ids.map((id) => ({ id, title: `t${at}`, summary: 'second', publisher: `p${at}` })),
      ),
      ...ids.map((id) => one.put(`/books/${id}`, { summary: `a${at}` })),
    ]);
    for (const id of ids) {
      const { body } = await one.get(`/books/${id}`);
      expect(body).toMatchObject({ title: `t${at}`, publisher: `p${at}` });
      expect(['second', `a${at}`]).toContain((body as Wire).summary);
      // The log tells the same: what an administrator found is what was there.
      const { body: log } = await one.get(`/audit?kind=book&id=${id}&count=1`);
      const [entry] = (log as { entries: { before: Wire; after: Wire }[] }).entries;
      expect(entry?.after.publisher).toBe(entry?.before.publisher);
    }
  }
});

it('a record that an import and an administrator create at once is created once', async () => {
  for (let at = 1; at <= ROUNDS; at += 1) {
    const id = 900_000 + at;
    const [summary, created] = await Promise.all([
      imported('celebrity', [{ id, name: 'imported', summary: 'imported' }]),
      one.post('/celebrities', { id, name: 'made' }),
    ]);
    const { body } = await one.get(`/celebrities/${id}`);
    // The import began before the administrator created the record, after it, or was first.
    if (created.status !== 201) {
      expect(created.body).toMatchObject({ code: 999 });
      expect(summary).toMatchObject({ imported: 1 });
    }
    expect(body).toMatchObject({ name: summary.failed === 1 ? 'made' : 'imported' });
  }
});

/** An import that has begun and waits for more records. */
async function startImport(kind: string, first: readonly object[]) {
  const input = new PassThrough();
  const errors: ImportError[] = [];
  const write = (records: readonly object[]): boolean =>
    input.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const imports = harness.app.get(ImportService, { strict: false });
  let stored: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (stored = resolve));
  const summary = imports.import(kind, 'file', input, {
    onError: (error) => errors.push(error),
    onProgress: stored,
  });
  write(first);
  await begun;
  return {
    finish: async (records: readonly object[]) => {
      write(records);
      input.end();
      return { ...(await summary), reasons: errors.map(({ reason }) => reason) };
    },
  };
}

/** Records of a batch of an import, and one of the next. */
const FIRST_RECORDS = 2701;

it.each([
  ['books', 'book', 'title'],
  ['celebrities', 'celebrity', 'name'],
])('%s that an administrator creates while an import runs are not replaced', async (...row) => {
  const [path, kind, title] = row;
  const record = (id: number): Wire => ({ id, [title]: 'imported' });
  const first = await one.post(`/${path}`, { [title]: 'before' });
  const from = Number((first.body as Wire).id) + 1;
  const running = await startImport(
    kind,
    Array.from({ length: FIRST_RECORDS }, (_, at) => record(from + at)),
  );
  const created = await one.post(`/${path}`, { [title]: 'made' });
  expect(created.status).toBe(201);
  const id = Number((created.body as Wire).id);
  // The first record of the next batch.
  expect(id).toBe(from + FIRST_RECORDS - 1);
  // Another import may create records meanwhile. They are no conflict.
  await imported(kind, [{ ...record(id + 1), [title]: 'of another import' }]);
  const { failed, updated, reasons } = await running.finish([record(id + 1)]);
  expect({ failed, updated }).toEqual({ failed: 1, updated: 1 });
  expect(reasons).toEqual([`the id ${id} belongs to a record that was created during the import`]);
  expect((await one.get(`/${path}/${id}`)).body).toMatchObject({ [title]: 'made' });
  expect((await one.get(`/${path}/${id + 1}`)).body).toMatchObject({ [title]: 'imported' });
});

it.each([
  ['celebrities', 'celebrities', { name: 'new' }],
  ['series', 'series', { title: 'new' }],
])('%s get the next free id when an import has used one meanwhile', async (path, table, body) => {
  const taken = await Promise.all([one.post(`/${path}`, body), one.post(`/${path}`, body)]);
  const ids = taken.map((response) => Number((response.body as Wire).id));
  // As if the import had advanced the sequence after this request got its id.
  const sequence = `SELECT setval('${table}_id_seq', ${Math.min(...ids)}, false)`;
  await harness.source.query(sequence);
  const created = await one.post(`/${path}`, body);
  expect([created.status, Number((created.body as Wire).id)]).toEqual([201, Math.max(...ids) + 1]);
});
