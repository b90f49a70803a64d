import { startHarness, type Harness } from '../../harness';
import { Factories } from '../../factories/factories';
import { ListsController } from './probe.lists';
import { probing } from './probe.module';

describe('fields (specification section 1, D7)', () => {
  describe('of a book', () => {
    let harness: Harness;
    let path: string;
    let all: string[];
    beforeAll(async () => {
      harness = await startHarness();
      const id = await new Factories(harness.database).aBook({ title: '围城', pages: '300' });
      path = `/v2/book/${id}`;
      all = Object.keys((await harness.call(path)).body);
    });
    afterAll(() => harness.close());

    it.each([
      ['title', ['title']],
      ['title,pages', ['title', 'pages']],
      ['pages,title', ['title', 'pages']],
      ['title,title', ['title']],
      [' title , pages ', ['title', 'pages']],
      ['title,,pages,', ['title', 'pages']],
      ['title,unknown,constructor', ['title']],
      ['rating', ['rating']],
      ['unknown', []],
      ['rating.average', []],
      ['TITLE', []],
      ['title;pages', []],
      ['__proto__', []],
    ])('"%s" selects %j', async (fields, members) => {
      const { status, body } = await harness.call(`${path}?fields=${encodeURIComponent(fields)}`);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual([...members].sort());
    });

    it.each(['', 'all', 'title,all', ' all ', ',', ' '])(
      '"%s" selects all members',
      async (fields) => {
        const { body } = await harness.call(`${path}?fields=${encodeURIComponent(fields)}`);
        expect(Object.keys(body)).toEqual(all);
      },
    );

    it('does not change an error', async () => {
      const { body } = await harness.call('/v2/book/0?fields=code');
      expect(Object.keys(body)).toEqual(['msg', 'code', 'request']);
    });

    it('does not change nested values', async () => {
      const complete = (await harness.call(path)).body;
      const { body } = await harness.call(`${path}?fields=images,rating,title`);
      expect(body).toEqual({ images: complete.images, rating: complete.rating, title: '围城' });
    });
  });

  describe('of a list', () => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await startHarness({ root: probing(ListsController) });
    });
    afterAll(() => harness.close());

    it('selects members of the elements and keeps the envelope', async () => {
      const { body } = await harness.call('/v2/probe/filtered?fields=name&count=2');
      expect(body).toEqual({
        start: 0,
        count: 2,
        total: 250,
        first: { number: 0, name: 'item 0' },
        items: [{ name: 'item 0' }, { name: 'item 1' }],
      });
    });

    it('keeps the envelope when no member is left', async () => {
      const { body } = await harness.call('/v2/probe/filtered?fields=total&count=2');
      expect(body).toMatchObject({ start: 0, count: 2, total: 250, items: [{}, {}] });
    });

    it('is ignored outside of GETs of the book area', async () => {
      const { status, body } = await harness.call('/v2/probe/items?fields=name&count=1');
      expect(status).toBe(200);
      expect(body.items).toEqual([{ number: 0, name: 'item 0' }]);
    });
  });
});
