import { startHarness, type Harness } from '../../harness';
import { ITEMS, ListsController } from './probe.lists';
import { probing } from './probe.module';

describe('start and count (specification section 1, D2, D3)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(ListsController) });
  });
  afterAll(() => harness.close());

  it.each([
    ['', 0, 20],
    ['start=&count=', 0, 20],
    ['count=0', 0, 0],
    ['count=1', 0, 1],
    ['count=99', 0, 99],
    ['count=100', 0, 100],
    ['count=101', 0, 100],
    ['count=1000', 0, 100],
    ['count=9007199254740991', 0, 100],
    ['count=9007199254740992', 0, 100],
    [`count=${'9'.repeat(40)}`, 0, 100],
    ['count=007', 0, 7],
    ['start=5', 5, 20],
    ['start=245', 245, 5],
    ['start=249&count=1', 249, 1],
    ['start=250', 250, 0],
    ['start=100000&count=3', 100000, 0],
    ['start=9007199254740991', 9007199254740991, 0],
  ])('"%s" returns the page at %i with %i elements', async (query, start, count) => {
    const { status, body } = await harness.call(`/v2/probe/items?${query}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      start,
      count,
      total: ITEMS.length,
      items: ITEMS.slice(start, start + count),
    });
  });

  it.each([
    '-1',
    '-0',
    '1.5',
    '1.0',
    'abc',
    '1e2',
    '0x10',
    '1,000',
    'NaN',
    'Infinity',
    '%EF%BC%91',
  ])('of "%s" are malformed: 400, code 999', async (value) => {
    for (const name of ['start', 'count']) {
      const { status, body, headers } = await harness.call(`/v2/probe/items?${name}=${value}`);
      expect([status, body.code, body.msg]).toEqual([400, 999, 'unknow_v2_error']);
      expect(headers.get('x-error-detail')).toContain(name);
    }
  });

  it.each(['start=1&start=2', 'count=1&count=1', 'count=1&count='])(
    'that are repeated are malformed: %s',
    async (query) => {
      const { status, body } = await harness.call(`/v2/probe/items?${query}`);
      expect([status, body.code]).toEqual([400, 999]);
    },
  );

  it('with a start too large for a JSON number are malformed (D10)', async () => {
    const { status, body } = await harness.call('/v2/probe/items?start=9007199254740993');
    expect([status, body.code]).toEqual([400, 999]);
  });

  it('default to the values of the endpoint', async () => {
    const lengths = ['', '?count=', '?count=11', '?count=101'].map(async (query) => {
      const { body } = await harness.call(`/v2/probe/tens${query}`);
      return body.count;
    });
    expect(await Promise.all(lengths)).toEqual([10, 10, 11, 100]);
  });

  it('return pages that partition the list', async () => {
    const numbers: number[] = [];
    for (let start = 0; start < ITEMS.length; start += 60) {
      const { body } = await harness.call(`/v2/probe/items?start=${start}&count=60`);
      numbers.push(...body.items.map(({ number }: { number: number }) => number));
    }
    expect(numbers).toEqual(ITEMS.map(({ number }) => number));
  });
});
