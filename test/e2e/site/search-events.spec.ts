import { SampleService } from '../../../src/sample/sample.service';
import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';

let harness: Harness;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  await harness.app.get(SampleService, { strict: false }).load();
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const read = async (path: string, language = 'en'): Promise<string> => {
  const headers = { accept: 'text/html', 'accept-language': language };
  const { status, text } = await harness.call(path, { headers });
  expect([path, status]).toEqual([path, 200]);
  return text;
};
const countOf = (text: string, part: string): number => text.split(part).length - 1;
const NOINDEX = '<meta name="robots" content="noindex" />';

describe('the search', () => {
  it('counts all people and events, and shows them in pages', async () => {
    const films = new MovieFactories(harness.database);
    const { loc_id, owner_id } = await make.anEvent();
    for (let at = 0; at < 23; at += 1) {
      await films.aCelebrity({ name: `Quillon ${at}` });
      await make.anEvent({ title: `Quillon ${at}`, loc_id, owner_id });
    }
    const all = await read('/search?q=quillon');
    expect(countOf(all, 'All <small>23</small>')).toBe(2);
    for (const kind of ['person', 'event']) {
      const first = await read(`/search?q=quillon&kind=${kind}`);
      const second = await read(`/search?q=quillon&kind=${kind}&start=20`);
      expect([first, second].map((text) => countOf(text, '<mark>'))).toEqual([20, 3]);
      expect(first).toContain(`kind=${kind}&amp;start=20`);
      expect(second).toContain('21–23 of 23');
    }
    expect(await read('/search?q=quillon', 'zh-CN')).toContain('全部 <small>23</small>');
  });

  it('marks words in titles, authors and original titles, without regard to accents', async () => {
    await make.aBook({ title: 'Zwischenraum', origin_title: 'Été', author: ['Léonie Q.'] });
    const text = await read('/search?q=leonie+ete');
    expect(text).toContain('<mark>Léonie</mark> Q.');
    expect(text).toContain('<mark>Été</mark>');
    expect(text).toContain('<h1>Search: leonie ete</h1>');
    expect(countOf(text, 'role="search"')).toBe(1);
  });
});

describe('events', () => {
  it('of a person count once each, and past ones are apart', async () => {
    const { id: owner_id, uid } = await make.aUser();
    const past = { begin_time: '2020-01-01 10:00:00', end_time: '2020-01-01 12:00:00' };
    const own = await make.anEvent({ owner_id });
    await make.anEvent({ owner_id, ...past });
    const joined = [await make.anEvent({}), await make.anEvent(past), own];
    await make.participations(...joined.map(({ id }) => ({ event_id: id, user_id: owner_id })));
    const text = await read(`/people/${uid}/`);
    expect(text).toContain('All <small>4</small>');
    const titles = [...text.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, title]) => title);
    expect(titles).toEqual(['Organizes', 'Takes part in', 'Organized', 'Took part in']);
    expect(countOf(text, `href="/event/${own.id}/"`)).toBe(1);
  });

  it('of a city lead to those of other cities, and have one link to all cities', async () => {
    const text = await read('/event/list?loc=beijing');
    expect(text).toMatch(/href="\/event\/list\?loc=shanghai"/);
    expect([countOf(text, 'All cities'), countOf(text, 'Reset filters')]).toEqual([1, 1]);
    const filtered = await read('/event/list?loc=beijing&day_type=week&type=music');
    expect(filtered).toMatch(/<title>[^<]+ · This week · Music/);
  });

  it('of a night name the day on which they begin, and both times', async () => {
    const { id: loc_id, uid } = await make.aCity();
    const night = { begin_time: '2050-11-25 22:00:00', end_time: '2050-11-26 03:30:00' };
    await make.anEvent({ loc_id, ...night });
    const text = await read(`/event/list?loc=${uid}`);
    expect(text).toMatch(/<b>Fri, Nov 25, 2050, 22:00\s–\s03:30<\/b>/);
    const chinese = await read(`/event/list?loc=${uid}`, 'zh-CN');
    expect(chinese).toMatch(/<b>2050\/11\/25周五 22:00\s–\s03:30<\/b>/);
  });

  it('have a file for calendars, which is no request of the API; private ones have none', async () => {
    const { id } = await make.anEvent({});
    const path = `/event/${id}/calendar.ics`;
    expect(await read(`/event/${id}/`)).toContain(`href="${path}"`);
    const { headers } = await harness.call(path);
    expect([headers.get('content-type'), headers.get('x-ratelimit-limit')]).toEqual([
      ...['text/calendar; charset=utf-8', null],
    ]);
    expect(await read(path)).toContain('BEGIN:VEVENT');
    await harness.source.query('UPDATE events SET private = true WHERE id = $1', [id]);
    expect((await harness.call(path)).status).toBe(404);
  });
});

it('control characters in an address are ignored', async () => {
  const statusOf = async (path: string) => (await harness.call(path)).status;
  expect(await statusOf('/search?q=%00%E4%B8%89%E4%BD%93')).toBe(200);
  expect(await statusOf('/book/tag/%E7%A7%91%00%E5%B9%BB')).toBe(200);
  expect(await statusOf('/book/tag/%00')).toBe(404);
});

it('lists past their end and lists without elements say so', async () => {
  const empty = await read('/book/tag/nosuchtag');
  expect([empty.includes(NOINDEX), empty.includes('class="empty"')]).toEqual([true, true]);
  for (const path of ['/book/series/1/', '/event/list', '/movie/chart/top250', '/people/linmo/']) {
    const text = await read(`${path}?start=5000${path.startsWith('/people') ? '&view=shelf' : ''}`);
    expect([path, countOf(text, 'class="empty"')]).toEqual([path, 1]);
    expect([path, countOf(text, 'To the first page')]).toEqual([path, 1]);
    expect([path, countOf(text, 'class="pages"')]).toEqual([path, 0]);
  }
});
