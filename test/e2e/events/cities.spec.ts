import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { CITY } from './shapes';
import { membersOf } from '../books/shapes';

let harness: Harness;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  await make.aCity({ id: 118281, uid: 'guangzhou', name: '广州', parent: 'guangdong' });
  await make.aCity({ id: 9, uid: 'ghost', name: 'Ghost', habitable: 'no' });
  for (let at = 0; at < 103; at += 1) await make.aCity();
});
afterAll(() => harness.close());

const get = (path: string, token?: string) => harness.call(`/v2/loc/${path}`, { token });

describe('GET /v2/loc/:id', () => {
  it('200: is the city of section 2.11', async () => {
    const { status, body } = await get('118281');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: '118281', name: '广州', uid: 'guangzhou', parent: 'guangdong', habitable: 'yes' },
    });
    expect((await get('9')).body).toMatchObject({ habitable: 'no', parent: '' });
  });

  it.each([...UNKNOWN_IDS, 'guangzhou', '1a'])('404: returns 1001 for %s', async (id) =>
    expectError(await get(id), 404, 1001, 'uri_not_found'),
  );

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get('9', token), 403, 1000, 'need_permission');
  });
});

describe('GET /v2/loc/list', () => {
  const list = () => ({ harness, path: '/v2/loc/list', member: 'locs', total: 105 });
  itIsPaged(list);
  itRefusesMalformedPages(list);

  it('200: has every city of section 2.11, sorted by id, in one statement', async () => {
    const cities = await walk(list(), 50);
    expect(membersOf(cities[0])).toEqual(CITY);
    const ids = cities.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(ids.slice(0, 2)).toEqual([9, 118281]);
    expect((await statementsOf(harness, '/v2/loc/list')).names).toEqual(['cities.list']);
  });

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get('list', token), 403, 1000, 'need_permission');
  });
});
