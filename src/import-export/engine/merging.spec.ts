import { averageOf, roundsOf } from './merging';

it('merges into the same survivor are in different rounds, in their order', () => {
  const merges = [
    { id: 2, into: 1 },
    { id: 3, into: 1 },
    { id: 5, into: 4 },
    { id: 6, into: 1 },
    { id: 7, into: 4 },
  ];
  expect(roundsOf(merges).map((round) => round.map(({ id }) => id))).toEqual([[2, 5], [3, 7], [6]]);
});

it.each([
  ['8.0', 20, '5.0', 10, '7.0'],
  ['8.0', 20, '0.0', 9, '8.0'],
  ['0.0', 9, '8.0', 20, '8.0'],
  ['0.0', 9, '0.0', 3, '0.0'],
  ['0.0', 0, '6.5', 0, '6.5'],
])('an average of 0 is unknown: %s of %d and %s of %d is %s', (one, of, other, ofOther, both) => {
  expect(averageOf({ average: one, count: of }, { average: other, count: ofOther })).toBe(both);
});
