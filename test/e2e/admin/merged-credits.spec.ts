import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, type Administrator } from './administrators';

let harness: Harness;
let administrator: Administrator;
let films: MovieFactories;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await anAdministrator(harness);
  films = new MovieFactories(harness.database);
});
afterAll(() => harness.close());

/** Merges the first film into the second one. */
async function merge(from: number, into: number): Promise<void> {
  expect((await administrator.post(`/subjects/${from}/merge`, { into })).status).toBe(200);
}

it('a credit without a position takes that of the same credit of the merged film', async () => {
  const [lead, second, third, other] = [
    await films.aCelebrity({ name: 'Lead' }),
    await films.aCelebrity({ name: 'Second' }),
    await films.aCelebrity({ name: 'Third' }),
    await films.aCelebrity({ name: 'Other' }),
  ];
  const castOf = (ids: readonly number[]) => ids.map((id) => ({ id: String(id), name: 'x' }));
  const from = await films.aSubject({ casts: castOf([second, lead, third]) });
  const into = await films.aSubject({ casts: castOf([other]) });
  await films.credits(lead, [into], () => ({ roles: ['演员'] }));
  await merge(from, into);
  const rows = await harness.source.query<{ person: number }[]>(
    `SELECT celebrity_id::int AS person FROM credits WHERE subject_id = $1 AND role = 'actor'
     ORDER BY position, id`,
    [into],
  );
  expect(rows.map(({ person }) => person)).toEqual([other, second, lead, third]);
});

it('a role that the merged film states is stated afterwards', async () => {
  const person = await films.aCelebrity();
  const [from, into] = [await films.aSubject(), await films.aSubject()];
  const roles = ['演员'];
  await films.credits(person, [from, into], (at) => ({
    roles,
    ...(at === 1 && { implied: roles }),
  }));
  const stated = async () =>
    harness.source.query(
      'SELECT subject_id::int AS film, role_sort_order < 32767 AS stated FROM credits WHERE celebrity_id = $1 ORDER BY id',
      [person],
    );
  expect(await stated()).toEqual([
    { film: from, stated: true },
    { film: into, stated: false },
  ]);
  await merge(from, into);
  expect(await stated()).toEqual([{ film: into, stated: true }]);
});
