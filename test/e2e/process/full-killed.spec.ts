import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { readManifest } from '../../../src/import-export/full/manifest';
import {
  randomNumbers,
  syntheticBooks,
  syntheticCollections,
  syntheticUsers,
} from '../../../src/import-export/synthetic/synthetic';
import {
  syntheticEvents,
  syntheticParticipations,
} from '../../../src/import-export/synthetic/synthetic-events';
import {
  syntheticNoteLikes,
  syntheticNoteReplies,
  syntheticNotes,
} from '../../../src/import-export/synthetic/synthetic-notes';
import { filesOf, FullTransfer } from '../../db/import-export/full';
import { Workshop, type Environment, type Program } from './programs';

// Each costs the start of a process; `npm run bench:full-transfer` does this at size, with ten.
const KILLS = 3;
const VOLUME = {
  ...{ books: 1600, users: 200, collections: 3200, seed: 11 },
  ...{ notes: 200, noteReplies: 400, noteLikes: 400, events: 100, participations: 400 },
};

/** Stored rows by kind, and their number. */
const TABLES = ['users', 'books', 'collections', 'notes', 'note_likes', 'events', 'participations'];

/** A trigger notifies the test when rows are stored. */
const TELLING = [
  `CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql
   AS $$ BEGIN PERFORM pg_notify('stored', ''); RETURN NULL; END $$`,
  ...TABLES.map(
    (table) =>
      `CREATE TRIGGER tell AFTER INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION tell()`,
  ),
];

let workshop: Workshop;
let source: FullTransfer;
let target: FullTransfer;
let env: Environment;
let listener: Client;
beforeAll(async () => {
  workshop = await Workshop.open();
  source = await FullTransfer.open();
  target = await FullTransfer.open();
  env = { DATABASE_URL: target.opened.url, PICTURES_DIR: target.place('pictures') };
  for (const sql of TELLING) await target.query(sql);
  listener = new Client({ connectionString: target.opened.url });
  await listener.connect();
  await listener.query('LISTEN stored');
});
afterAll(async () => {
  await workshop.close();
  await listener.end();
  await source.close();
  await target.close();
});

async function fill({ opened }: FullTransfer): Promise<void> {
  const imports = new ImportService(opened.database, new RecordHandlers());
  const kinds = [
    ['user', syntheticUsers(VOLUME)],
    ['book', syntheticBooks(VOLUME)],
    ['collection', syntheticCollections(VOLUME)],
    ['note', syntheticNotes(VOLUME)],
    ['note-reply', syntheticNoteReplies(VOLUME)],
    ['note-like', syntheticNoteLikes(VOLUME)],
    ['event', syntheticEvents(VOLUME)],
    ['participation', syntheticParticipations(VOLUME)],
  ] as const;
  for (const [kind, lines] of kinds) {
    const bytes = Readable.from([Buffer.from([...lines].join(''))]);
    const { failed } = await imports.import(kind, 'synthetic', bytes);
    expect(failed).toBe(0);
  }
}

/** Rows that are there, of all that are to come. */
async function rows(): Promise<number> {
  const [row] = await target.query<{ n: number }>(
    `SELECT (${TABLES.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ')})::int AS n`,
  );
  return Number(row?.n);
}

/** Waits until more than these rows are there, without asking all the time: it would slow the import. */
async function beyond(moment: number, program: Program): Promise<void> {
  for (;;) {
    const notified = once(listener, 'notification');
    if ((await rows()) > moment) return;
    await Promise.race([notified, program.ended]);
    if (program.child.exitCode !== null) throw new Error(`it ended: ${program.stderr}`);
  }
}

const jobs = () =>
  target.query<{ id: string; state: string; records: number }>(
    `SELECT id, state, (SELECT sum((p ->> 'records')::int)::int
       FROM jsonb_array_elements(progress) p) AS records FROM transfer_jobs ORDER BY id`,
  );

it(`an import killed at ${KILLS} random times ends like an undisturbed one`, async () => {
  await fill(source);
  const folder = await source.export('whole');
  const random = randomNumbers(5);
  // Not so late that the rest may be in before the signal is.
  const { books, users, collections, notes, noteLikes, events } = VOLUME;
  const all = 0.9 * (books + users + collections + notes + noteLikes + events);
  // One in each part of the whole.
  const moments = Array.from({ length: KILLS }, (_, at) =>
    Math.floor(((at + random()) / KILLS) * all),
  );
  let read = 0;
  for (const moment of moments) {
    const program = workshop.command(env, ['import', 'all', folder]);
    await beyond(moment, program);
    await program.kill();
    const [job, ...others] = await jobs();
    // One job goes on, and never back.
    expect([job?.state, others]).toEqual(['running', []]);
    expect(Number(job?.records)).toBeGreaterThanOrEqual(read);
    read = Number(job?.records);
  }
  const result = await workshop.result(env, 'import', 'all', folder);
  expect(result).toMatchObject({ job: 1, failed: 0 });
  const { kinds } = await readManifest(folder);
  const total = kinds.reduce((sum, { records }) => sum + records, 0);
  expect(await jobs()).toEqual([{ id: '1', state: 'done', records: total }]);

  expect(await filesOf(await target.export('again'))).toEqual(await filesOf(folder));
}, 300_000);
