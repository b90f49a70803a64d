import { OrderedSet } from './ordered-set';

const setOf = (...members: number[]): OrderedSet<number> => {
  const set = new OrderedSet<number>();
  for (const member of members) set.add(member);
  return set;
};

it('has each member once, in the order of insertion', () => {
  const set = setOf(3, 1, 2, 3, 1);
  expect([...set]).toEqual([3, 1, 2]);
  expect(set.size).toBe(3);
});

it.each([
  ['first', 1, [2, 3]],
  ['middle', 2, [1, 3]],
  ['last', 3, [1, 2]],
])('deletes the %s member', (_, member, rest) => {
  const set = setOf(1, 2, 3);
  expect(set.delete(member)).toBe(true);
  expect([...set]).toEqual(rest);
  expect([...set.add(4).add(member)]).toEqual([...rest, 4, member]);
  expect(set.size).toBe(4);
});

it('can be emptied and filled again', () => {
  const set = setOf(1);
  expect([set.delete(1), set.delete(1), set.size, [...set]]).toEqual([true, false, 0, []]);
  expect([...set.add(2)]).toEqual([2]);
});
