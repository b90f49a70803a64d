import { setImmediate } from 'node:timers/promises';
import { mapInSlices, SLICE_MS } from './slices';

/** Takes longer than a slice. */
function renderSlowly(value: number): number {
  const end = performance.now() + SLICE_MS + 1;
  while (performance.now() < end);
  return value * 2;
}

describe('mapInSlices', () => {
  it('keeps the order, and other work runs between slices', async () => {
    let turns = 0;
    let isDone = false;
    const rendered = mapInSlices([1, 2, 3, 4], renderSlowly).finally(() => (isDone = true));
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    expect(await rendered).toEqual([2, 4, 6, 8]);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('renders nothing of an empty list', async () => {
    expect(await mapInSlices([], renderSlowly)).toEqual([]);
  });
});
