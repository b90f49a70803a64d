import { once } from 'node:events';
import { type Headers, type Pack } from 'tar-stream';

/**
 * Adds an entry to an archive, and waits until the archive has passed it on: otherwise the next ones
 * would wait in memory.
 * @param signal aborts when the archive is read no more, because the entry would wait forever then
 * @throws AbortError after `signal`; Error when the archive is destroyed
 */
export async function addEntry(
  archive: Pack,
  header: Headers,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  // It fails with the archive. Without a listener, that would end the process.
  const entry = archive.entry(header).on('error', () => undefined);
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!entry.write(chunk)) await once(entry, 'drain', { signal });
  }
  signal.throwIfAborted();
  const closed = once(entry, 'close', { signal });
  entry.end();
  await closed;
}
