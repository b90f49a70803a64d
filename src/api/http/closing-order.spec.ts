import { sortForClosing, type LargeConnection } from './closing-order';

const from = (clientKey: string, bytes: number): LargeConnection => ({ clientKey, bytes });

it('takes the oldest connections of the client with the most bytes, until another has more', () => {
  const connections = [from('a', 10), from('b', 12), from('a', 10), from('a', 10)];
  const [a1, b1, a2, a3] = connections;
  expect(sortForClosing(connections)).toEqual([a1, a2, b1, a3]);
});

it('counts the bytes of an IPv6 site, of which each address has less than another client', () => {
  const other = from('198.51.100.1', 26);
  const site = Array.from({ length: 5 }, (_, at) => from(`2001:db8:77:${at}`, 20));
  const order = sortForClosing([other, ...site]);
  expect(order.indexOf(other)).toBe(3);
});

it('counts the bytes of a provider, of which each site has less than another client', () => {
  const other = from('203.0.113.1', 26);
  const provider = Array.from({ length: 20 }, (_, at) => from(`2001:db8:${at}:1`, 20));
  expect(sortForClosing([other, ...provider]).indexOf(other)).toBeGreaterThan(10);
});
