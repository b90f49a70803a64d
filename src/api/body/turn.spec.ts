import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ClientPresence } from '../http/client-presence';
import { WaitingTime } from './turn';

/** Collects what nothing refers to. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Waits until the signal is aborted. */
const forever = (gone: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = (): void => {
      reject(gone.reason as Error);
    };
    if (gone.aborted) leave();
    gone.addEventListener('abort', leave);
  });

it('ends after its milliseconds in total, also after a garbage collection', async () => {
  const waiting = new WaitingTime(undefined, 50);
  expect(await waiting.wait(() => Promise.resolve('turn'))).toBe('turn');
  const waited = waiting.wait(forever);
  collectGarbage();
  await expect(waited).rejects.toMatchObject({ status: 503 });
  await expect(waiting.wait(forever)).rejects.toMatchObject({ status: 503 });
});

it('ends when the client leaves, or has left', async () => {
  const presence = new ClientPresence();
  const waiting = new WaitingTime(presence);
  const waited = waiting.wait(forever);
  presence.leave();
  await expect(waited).rejects.toMatchObject({ status: 503 });
  await expect(waiting.wait(forever)).rejects.toMatchObject({ status: 503 });
});
