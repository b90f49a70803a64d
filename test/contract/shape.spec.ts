import { faultsOf, optional, type Shape } from './shape';

const SHAPE: Shape = {
  id: 'string',
  count: 'integer',
  average: 'number',
  more: optional('boolean'),
  list: [{ name: 'string' }],
  map: { '*': 'string' },
};
const GOOD = { id: '1', count: 2, average: 2.5, list: [{ name: 'a' }], map: { a: 'b' } };

describe('differences between a value and a shape', () => {
  it.each([
    ['nothing', {}, []],
    ['nothing, with what may be there', { more: true, average: 3, list: [], map: {} }, []],
    ['another type', { id: 1, count: 2.5 }, ['$.id is no string', '$.count is no integer']],
    ['a number past 2^53', { count: 2 ** 53 }, ['$.count is no integer']],
    ['a member too many', { other: 1 }, ['$.other is too many']],
    ['one with a name of objects', { toString: 'x' }, ['$.toString is too many']],
    ['null', { id: null, list: null }, ['$.id is no string', '$.list is no list']],
    ['one in any element', { list: [{ name: 'a' }, {}] }, ['$.list[1].name is missing']],
    ['one in a map', { map: { a: 1 } }, ['$.map.a is no string']],
  ])('have a path: %s', (_what, more, faults) => {
    expect(faultsOf({ ...GOOD, ...more }, SHAPE)).toEqual(faults);
  });

  it('include missing members that are required', () => {
    const { id: _id, ...rest } = GOOD;
    expect(faultsOf(rest, SHAPE)).toEqual(['$.id is missing']);
  });

  it('exclude null where it is allowed', () => {
    expect(faultsOf({ ...GOOD, id: null }, SHAPE, ['id'])).toEqual([]);
  });
});
