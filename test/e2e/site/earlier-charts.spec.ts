import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness, type TestResponse } from '../../harness';

const CHART = '/movie/chart/in_theaters';

let harness: Harness;
let films: MovieFactories;
let beijing: number;
let shanghai: number;
beforeAll(async () => {
  harness = await startHarness();
  films = new MovieFactories(harness.database);
  beijing = await films.aCity('北京', 'beijing');
  shanghai = await films.aCity('上海', 'shanghai');
  const [first = 0, second = 0, other = 0] = [
    await films.aSubject({ title: 'Lantern' }),
    await films.aSubject({ title: 'Harbour' }),
    await films.aSubject({ title: 'Orchard' }),
  ];
  await films.aChart('in_theaters', [first], { city: beijing, date: '2020-01-01' });
  await films.aChart('in_theaters', [second], { city: beijing, date: '2020-01-02' });
  await films.aChart('in_theaters', [], { city: beijing, date: '2020-01-03' });
  await films.aChart('in_theaters', [other], { city: shanghai, date: '2020-01-01' });
  await films.aChart('in_theaters', [second], { city: shanghai, date: '2020-01-05' });
  await films.aChart('top250', [first], { date: '2020-02-01' });
  await films.aChart('top250', [second], { date: '2020-02-02' });
});
afterAll(() => harness.close());

const open = (path: string): Promise<TestResponse> =>
  harness.call(path, { headers: { accept: 'text/html', 'accept-language': 'en' } });

/** Paths of the earlier snapshots that a page links to, in their order. */
async function earlierOf(path: string): Promise<string[]> {
  const { status, text } = await open(path);
  expect([path, status]).toEqual([path, 200]);
  const links = [...text.matchAll(/href="([^"]*\?date=[^"]*)"/g)];
  const paths = links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return [...new Set(paths.filter((href) => href.startsWith('/') && !href.includes('lang=')))];
}

describe('links to earlier snapshots', () => {
  it('of films in theatres lead to snapshots of the default city that have films', async () => {
    const links = await earlierOf(CHART);
    expect(links).toEqual([`${CHART}?date=2020-01-02`, `${CHART}?date=2020-01-01`]);
    const pages = await Promise.all(links.map(open));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages.map(({ text }) => /Lantern|Harbour|Orchard/.exec(text)?.[0])).toEqual([
      ...['Harbour', 'Lantern'],
    ]);
  });

  it('keep the city, as does the link to the latest one', async () => {
    const city = `${CHART}?city=shanghai`;
    const links = await earlierOf(city);
    expect(links).toEqual([
      `${CHART}?date=2020-01-05&city=shanghai`,
      `${CHART}?date=2020-01-01&city=shanghai`,
    ]);
    const { status, text } = await open(links[1] ?? '');
    expect([status, text.includes('Orchard'), text.includes('Lantern')]).toEqual([
      200,
      true,
      false,
    ]);
    expect(text).toContain('Films showing in 上海 · 2020-01-01');
    expect(text).toContain(`href="${city}"`);
  });

  it('of other charts have no city', async () => {
    const chart = '/movie/chart/top250';
    const links = await earlierOf(`${chart}?city=shanghai`);
    expect(links).toEqual([`${chart}?date=2020-02-02`, `${chart}?date=2020-02-01`]);
    expect((await open(links[1] ?? '')).text).toContain('Lantern');
  });
});

it('404: a day without a snapshot of the city, and a city that does not exist', async () => {
  for (const query of [
    'date=2020-01-02&city=shanghai',
    'date=2020-01-05',
    'date=2020-01-03',
    'date=2020-01-01&city=nowhere',
  ]) {
    expect([query, (await open(`${CHART}?${query}`)).status]).toEqual([query, 404]);
  }
});
