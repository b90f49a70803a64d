import { LogLines } from '../e2e/api/log-lines';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';

/** Requests for the same object of the database. */
const REQUESTS = 5;

let harness: Harness;
let log: LogLines;
let book: number;
let token: string;
beforeEach(async () => {
  log = new LogLines('error');
  harness = await startHarness({ logger: log.logger });
  const factories = new Factories(harness.database);
  book = await factories.aBook();
  token = await harness.token({ userId: (await factories.aUser()).id });
});
afterEach(() => harness.close());

const path = (): string => `/v2/book/${book}`;
const read = async (): Promise<unknown> => outcomeOf(await harness.call(path()));
const search = async (): Promise<unknown> =>
  outcomeOf(await harness.call('/v2/book/search?q=book'));
const write = async (): Promise<unknown> =>
  outcomeOf(
    await harness.call(`${path()}/collection`, {
      method: 'POST',
      token,
      body: new URLSearchParams({ status: 'read' }),
    }),
  );

interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly code?: number };
}
const outcomeOf = ({ status, headers, body }: Outcome): unknown =>
  status < 500 ? status : [status, body.code, headers.get('retry-after')];
const UNAVAILABLE = [503, 999, '2'];

const failures = (): unknown[] =>
  log.lines
    .filter(({ msg }) => msg === 'request failed')
    .map(({ err }) => (err as { message: string }).message);

/** What a restore or another version of the schema may lack, and how to make it so and undo it. */
const ABSENT: readonly (readonly [string, RegExp, string, string])[] = [
  [
    'table',
    /^relation ".+" does not exist$/,
    'ALTER TABLE books RENAME TO books_away',
    'ALTER TABLE books_away RENAME TO books',
  ],
  [
    'schema',
    /^relation ".+" does not exist$/,
    'ALTER SCHEMA public RENAME TO away',
    'ALTER SCHEMA away RENAME TO public',
  ],
  [
    'column',
    /^column .+ does not exist$/,
    'ALTER TABLE books RENAME COLUMN id TO id_away',
    'ALTER TABLE books RENAME COLUMN id_away TO id',
  ],
];

it.each(ABSENT)(
  '503 while a %s is missing in the database, whose cause is in the log once',
  async (_, message, remove, restore) => {
    expect([await read(), await search()]).toEqual([200, 200]);
    await harness.source.query(remove);
    for (let round = 0; round < REQUESTS; round += 1) {
      expect([await read(), await search(), await write()]).toEqual([
        UNAVAILABLE,
        UNAVAILABLE,
        UNAVAILABLE,
      ]);
    }
    await harness.source.query(restore);
    expect([await read(), await search(), await write()]).toEqual([200, 200, 201]);
    const causes = failures();
    expect(causes).toEqual([...new Set(causes)]);
    expect(causes.length).toBeGreaterThan(0);
    for (const cause of causes) expect(cause).toMatch(message);
  },
);
