import { roundsOf } from './merging';

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
