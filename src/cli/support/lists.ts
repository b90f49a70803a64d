import { once } from 'node:events';
import { print } from './bootstrap';

/** Prints all elements of a list as one JSON object per line, as they are read. */
export async function printAll(rows: AsyncIterable<object> | Iterable<object>): Promise<void> {
  for await (const row of rows) {
    print(row);
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
}
