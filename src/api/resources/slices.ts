import { Semaphore } from '../body/semaphore';
import { nextTurn } from '../http/connection-backlog';

/** Milliseconds of rendering before other requests get a turn. */
export const SLICE_MS = 10;

/** Long renderings take turns: one slice per turn of the event loop. */
const turns = new Semaphore(1);

/** Renders a slice of a long response in a later turn of the event loop. */
export async function inOwnSlice<T>(render: () => T): Promise<T> {
  const end = await turns.acquire(1);
  try {
    await nextTurn();
    return render();
  } finally {
    end();
  }
}

/** Renders elements in slices of {@link SLICE_MS}, so that other requests are served in between. */
export async function mapInSlices<T, R>(items: readonly T[], render: (item: T) => R): Promise<R[]> {
  const rendered: R[] = [];
  const renderSlice = (): boolean => {
    const end = performance.now() + SLICE_MS;
    while (rendered.length < items.length) {
      rendered.push(render(items[rendered.length] as T));
      if (performance.now() > end) break;
    }
    return rendered.length === items.length;
  };
  let isComplete = renderSlice();
  while (!isComplete) isComplete = await inOwnSlice(renderSlice);
  return rendered;
}
