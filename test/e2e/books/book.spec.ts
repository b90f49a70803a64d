import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

describe('GET /v2/book/:id', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
  });
  afterAll(() => harness.close());

  describe('200', () => {
    it('answers with the book', async () => {
      const id = await make.aBook({ title: '围城' });
      const { status, body } = await harness.call(`/v2/book/${id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: String(id), title: '围城' });
    });
  });

  describe('404', () => {
    it('says 6000 for an unknown id', async () => {
      const { status, body } = await harness.call('/v2/book/999999999');
      expect(status).toBe(404);
      expect(body).toEqual({
        msg: 'book_not_found',
        code: 6000,
        request: 'GET /v2/book/999999999',
      });
    });
  });
});
