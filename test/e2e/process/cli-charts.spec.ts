import { openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop, type Environment } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let env: Environment;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  env = { DATABASE_URL: opened.url };
  await opened.source.query(
    `INSERT INTO subjects (id, title, rating_average, ratings_count)
     VALUES (1, 'Film', 8, 100), (2, 'Film', 9, 100)`,
  );
  await opened.source.query(`INSERT INTO cities (id, uid, name) VALUES (1, 'beijing', '北京')`);
  await opened.source.query(
    `INSERT INTO showings (subject_id, city_id, from_date) VALUES (1, 1, '2026-01-01')`,
  );
});

afterAll(async () => {
  await opened.close();
  await workshop.close();
});

const compute = (...words: string[]) => workshop.cli(env, ['charts', 'compute', ...words]);

it('computes a chart of a day, and says what it stored', async () => {
  const { code, stdout } = await compute('top250', '--date', '2026-03-01');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    name: 'top250',
    date: '2026-03-01',
    snapshots: 1,
    entries: 2,
  });
});

it('computes what a city shows, by its name', async () => {
  const { code, stdout } = await compute('in_theaters', '--city', '北京', '--date', '2026-03-01');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { snapshots: 1, entries: 1 }]);
});

it.each([
  [['us_box'], 'us_box cannot be computed'],
  [['top100'], 'no such chart: top100'],
  [['top250', '--date', '2026-02-30'], 'not a date: 2026-02-30'],
  [['in_theaters', '--city', 'nowhere'], 'no such city: nowhere'],
  [['weekly', '--city', '北京'], 'only in_theaters has a city'],
])('%j ends with 1 and says why', async (words, why) => {
  const { code, stdout, stderr } = await compute(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(why);
});
