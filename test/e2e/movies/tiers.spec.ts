import { MOVIE_GETS } from '../../contract/movie-endpoints';
import { seenBy, type TierLetter } from '../../contract/movie-shapes';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { statementsOf } from '../guarantees';
import { CALLERS, tokensOf } from './callers';

/**
 * The tier that applies to nobody, basic, advance, premium, and advance and premium together; `-` is
 * 403 (sections 2.8, 4.3 and 5, D14).
 */
const MATRIX: Readonly<Record<string, string>> = {
  'subject/:id': 'BBAPP',
  'celebrity/:id': 'BBA-A',
  'subject/:id/photos': '--APP',
  'subject/:id/reviews': '--APP',
  'subject/:id/comments': '--APP',
  'celebrity/:id/works': '--A-A',
  'celebrity/:id/photos': '--A-A',
  search: 'BBAPP',
  top250: 'BBA-A',
  us_box: 'BBA-A',
  weekly: '--A-A',
  new_movies: '--A-A',
  in_theaters: '---PP',
  coming_soon: '---PP',
};

const CELLS = Object.entries(MATRIX).flatMap(([endpoint, tiers]) =>
  Object.keys(CALLERS).map((caller, at) => ({ endpoint, caller, tier: String(tiers[at]) })),
);

let harness: Harness;
let tokens: Record<string, string | undefined>;
let ids: { subject: number; celebrity: number };
beforeAll(async () => {
  harness = await startHarness();
  tokens = await tokensOf(harness);
  const make = new MovieFactories(harness.database);
  const celebrity = await make.aCelebrity();
  const person = [{ id: celebrity, name: 'Person' }];
  const credits = { directors: person, casts: person, writers: person };
  const subject = await make.aSubject({ title: 'Seen', pubdates: ['2019'], ...credits });
  const city = await make.aCity('北京', 'beijing');
  await make.photos({ subject_id: subject }, 1);
  await make.reviews(subject, 1);
  await make.comments(subject, 1);
  for (const name of ['top250', 'us_box', 'weekly', 'new_movies', 'coming_soon']) {
    await make.aChart(name, [subject]);
  }
  await make.aChart('in_theaters', [subject], { city });
  ids = { subject, celebrity };
});
afterAll(() => harness.close());

const pathOf = (endpoint: string): string => {
  const id = endpoint.startsWith('celebrity') ? ids.celebrity : ids.subject;
  return `/v2/movie/${endpoint.replace(':id', String(id))}${endpoint === 'search' ? '?q=Seen' : ''}`;
};

it('the matrix has a row for every endpoint (specification section 4.3)', () => {
  const paths = MOVIE_GETS.map(({ path }) => path.replace('/v2/movie/', ''));
  expect(Object.keys(MATRIX).sort()).toEqual(paths.sort());
});

it.each(CELLS)('$endpoint for $caller: tier $tier', async ({ endpoint, caller, tier }) => {
  const response = await harness.call(pathOf(endpoint), { token: tokens[caller] });
  const { status, body, headers } = response;
  if (tier === '-') {
    const request = `GET ${pathOf(endpoint)}`;
    expect(body).toEqual({ msg: 'need_permission', code: 1000, request });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
    return;
  }
  expect(status).toBe(200);
  const row = MOVIE_GETS.find(({ path }) => path === `/v2/movie/${endpoint}`);
  const seen = seenBy(tier as TierLetter, row?.response ?? {}) as Record<string, unknown>;
  expect(Object.keys(body).sort()).toEqual(Object.keys(seen).sort());
  // A simple subject's only member with tiers (section 2.9).
  const simple = JSON.stringify(body).includes('"pubdates"');
  expect(simple).toBe(JSON.stringify(seen).includes('"pubdates"'));
});

it('the basic tier selects no column that it does not show', async () => {
  const basic = await statementsOf(harness, pathOf('subject/:id'));
  const full = await statementsOf(harness, pathOf('subject/:id'), tokens.advance);
  expect(basic.names).toEqual(['subjects.by_id_basic']);
  expect(full.names.at(-1)).toBe('subjects.by_id_full');
});
