import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';

describe('GET /v2/movie/celebrity/:id/works', () => {
  let harness: Harness;
  let make: MovieFactories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new MovieFactories(harness.database);
  });
  afterAll(() => harness.close());

  it.each([
    [['自己'], ['自己']],
    [['导演'], ['导演', '演员']],
    [
      ['自己', '演员'],
      ['自己', '演员'],
    ],
  ])('with the roles %j of somebody in the cast has %j (D119)', async (roles, shown) => {
    const id = await make.aCelebrity();
    const film = await make.aSubject({ casts: [{ id: String(id), name: 'x' }] });
    await make.credits(id, [film], () => ({ roles }));
    const token = await harness.token({ scopes: ['movie_advance_r'] });
    const { body } = await harness.call(`/v2/movie/celebrity/${id}/works`, { token });
    expect(body.works).toMatchObject([{ roles: shown, subject: { id: String(film) } }]);
    const single = await harness.call(`/v2/movie/subject/${film}`);
    expect(single.body.casts).toMatchObject([{ id: String(id) }]);
  });
});
