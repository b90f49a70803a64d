import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ArchiveWriter } from '../../src/backup/archive-writer';

it('a backup keeps few small files in memory while its destination is slow', async () => {
  let taken = 0;
  const slow = new Writable({
    write(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      void setImmediate().then(done.bind(undefined, null));
    },
  });
  const archive = new ArchiveWriter(slow, () => undefined);
  let waiting = 0;
  for (let at = 1; at <= 1000; at += 1) {
    // Random, so that nothing is compressed.
    await archive.addBytes(`pictures/${at}`, randomBytes(15_000));
    waiting = Math.max(waiting, at * 15_000 - taken);
  }
  await archive.finish();
  expect(waiting).toBeLessThan(1_000_000);
});
