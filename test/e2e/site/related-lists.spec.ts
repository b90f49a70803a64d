import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness, type TestResponse } from '../../harness';

let harness: Harness;
let make: Factories;
let films: MovieFactories;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  films = new MovieFactories(harness.database);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => harness.close());

const open = (path: string): Promise<TestResponse> =>
  harness.call(path, { headers: { accept: 'text/html' } });

describe('the page of an event', () => {
  it('shows other events of its city, and remains without them when the city is deleted', async () => {
    const { id, loc_id } = await make.anEvent({ title: 'First' });
    const { id: other } = await make.anEvent({ title: 'Second', loc_id });
    expect((await open(`/event/${id}/`)).text).toContain(`href="/event/${other}/"`);
    await harness.source.query('UPDATE cities SET deleted_at = now() WHERE id = $1', [loc_id]);
    const { status, text } = await open(`/event/${other}/`);
    expect([status, text.includes(`href="/event/${id}/"`)]).toEqual([200, false]);
  });
});

describe('the page of a film', () => {
  const directed = (title: string, director: number): Promise<number> =>
    films.aSubject({ title, directors: [{ id: director }] });

  it('shows other films of its director, and remains without them when the director is deleted', async () => {
    const director = await films.aCelebrity();
    const [id, other] = [await directed('First', director), await directed('Second', director)];
    expect((await open(`/movie/subject/${id}/`)).text).toContain(`"/movie/subject/${other}/"`);
    const deletion = 'UPDATE celebrities SET deleted_at = now() WHERE id = $1';
    await harness.source.query(deletion, [director]);
    const { status, text } = await open(`/movie/subject/${other}/`);
    expect([status, text.includes(`"/movie/subject/${id}/"`)]).toEqual([200, false]);
  });

  it('exists when the director is a placeholder without a name', async () => {
    const id = await directed('Third', 987_654);
    expect((await harness.call(`/v2/movie/subject/${id}`)).body.directors).toHaveLength(1);
    expect((await open(`/movie/subject/${id}/`)).status).toBe(200);
  });
});

describe('popular tags', () => {
  it('are those of a minute ago at most (D160)', async () => {
    const book = await make.aBook();
    await make.aCollection({ book_id: book, tags: ['ephemeral'] });
    const isShown = async (): Promise<boolean> =>
      (await open('/book/')).text.includes('>ephemeral<');
    expect(await isShown()).toBe(true);
    await harness.source.query('DELETE FROM book_tag_counts');
    const later = performance.now() + 60_001;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(await isShown()).toBe(false);
  });
});
