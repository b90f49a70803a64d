import { Readable } from 'node:stream';
import {
  ImportService,
  type ImportSummary,
} from '../../../src/import-export/engine/import.service';
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
    expect(summary.failed).toBe(0);
    const { body } = await one.get(`/celebrities/${id}`);
    // The second write either failed with a conflict, or was an import that merged with the first.
    if (created.status === 201) expect(summary).toMatchObject({ updated: 1 });
    else expect(created.body).toMatchObject({ code: 999 });
    expect(body).toMatchObject({ name: 'imported', summary: 'imported' });
  }
});
