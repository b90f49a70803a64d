import { KeyedMutex } from './keyed-mutex';

it('runs work of one key sequentially, and work of different keys concurrently', async () => {
  const queues = new KeyedMutex(3);
  const order: string[] = [];
  let end = (): void => undefined;
  const first = queues.run('a', async () => {
    order.push('first');
    await new Promise<void>((resolve) => (end = resolve));
  });
  const second = queues.run('a', () => Promise.resolve(order.push('second')));
  await queues.run('b', () => Promise.resolve(order.push('other')));
  expect(order).toEqual(['first', 'other']);
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'other', 'second']);
});

it('rejects work beyond the limit of a key with 503, and accepts work again afterwards', async () => {
  const queues = new KeyedMutex(3);
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const all = [1, 2, 3].map(() => queues.run('a', work));
  await expect(queues.run('a', work)).rejects.toMatchObject({ status: 503 });
  for (const one of all) {
    while (ends.length === 0) await new Promise(setImmediate);
    ends.shift()?.();
    await one;
  }
  expect(await queues.run('a', () => Promise.resolve('done'))).toBe('done');
});
