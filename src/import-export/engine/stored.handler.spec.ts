import { dedupeKeepLast } from './stored.handler';

const key = ({ of }: { of: string }): string => of;

it('keeps the last record of each key, at the position of the first', () => {
  const records = [
    { of: 'a', at: 1 },
    { of: 'b', at: 2 },
    { of: 'a', at: 3 },
    { of: 'c', at: 4 },
    { of: 'b', at: 5 },
  ];
  expect(dedupeKeepLast(records, key)).toEqual([
    { of: 'a', at: 3 },
    { of: 'b', at: 5 },
    { of: 'c', at: 4 },
  ]);
});

it('keeps records without duplicates, also with keys such as "constructor"', () => {
  const records = ['__proto__', 'constructor', '', '1'].map((of) => ({ of }));
  expect(dedupeKeepLast(records, key)).toEqual(records);
  expect(dedupeKeepLast([], key)).toEqual([]);
});
