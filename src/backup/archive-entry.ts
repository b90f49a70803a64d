import { once } from 'node:events';
import { type Headers, type Pack } from 'tar-stream';

/**
 * Adds an entry to an archive, and waits until its data is read. Otherwise later entries queue up in
 * memory.
 * @param signal aborts when the archive is no longer read, because the entry would wait forever then
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
