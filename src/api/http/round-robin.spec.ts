import { RoundRobin } from './round-robin';

let items: RoundRobin<string>;
beforeEach(() => {
  items = new RoundRobin();
});

/** Adds items `a1`, `a2` of the client `a`, and so on. */
function add(client: string, count: number): void {
  for (let at = 1; at <= count; at += 1) items.push(client, `${client}${at}`);
}

function rest(): string[] {
  const all: string[] = [];
  for (let item = items.shift(); item !== undefined; item = items.shift()) all.push(item);
  return all;
}

it('clients take turns, and keep the order of their items', () => {
  add('a', 4);
  add('b', 1);
  add('c', 2);
  expect(items.shift()).toBe('a1');
  add('d', 1);
  expect(items.length).toBe(7);
  expect(rest()).toEqual(['b1', 'c1', 'a2', 'd1', 'c2', 'a3', 'a4']);
  expect([items.length, items.shift()]).toEqual([0, undefined]);
});

it('items that have ended take no turn', () => {
  add('a', 3);
  add('b', 2);
  add('c', 1);
  const ended: string[] = [];
  const isEnded = (item: string): boolean => {
    if (!['a1', 'a2', 'c1'].includes(item)) return false;
    ended.push(item);
    return true;
  };
  expect([items.shift(isEnded), ended, items.length]).toEqual(['a3', ['a1', 'a2'], 3]);
  expect([items.shift(isEnded), items.shift(isEnded)]).toEqual(['b1', 'b2']);
  expect([items.shift(isEnded), ended.at(-1), items.length]).toEqual([undefined, 'c1', 0]);
});

it('puts items back before the others', () => {
  add('a', 4);
  add('b', 2);
  const taken = [items.shift(), items.shift(), items.shift()];
  expect(taken).toEqual(['a1', 'b1', 'a2']);
  items.putBack([
    ['b', 'b1'],
    ['c', 'c1'],
    ['a', 'a1'],
    ['a', 'a2'],
  ]);
  expect([items.length, rest()]).toEqual([7, ['b1', 'c1', 'a1', 'b2', 'a2', 'a3', 'a4']]);
});

it('removes the latest items of the clients with most', () => {
  add('a', 9);
  add('b', 1);
  add('c', 5);
  expect(items.removeExcess(8)).toEqual(['c5', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9']);
  expect(items.length).toBe(8);
  expect(rest()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'c3', 'c4']);
});

it('keeps clients with few items, and the first ones, if there are more clients than places', () => {
  add('a', 9);
  for (const client of ['b', 'c', 'd', 'e']) add(client, 1);
  expect(items.removeExcess(3)).toHaveLength(10);
  expect([items.length, rest()]).toEqual([3, ['b1', 'c1', 'd1']]);
  add('a', 2);
  expect(items.removeExcess(2)).toEqual([]);
});
