import { type ChildProcess } from 'node:child_process';

/**
 * Runs work that may start a server and call `launched` with its process. If this process exits
 * before the work has ended, for example after a second signal, the server gets the signal for a
 * fast shutdown: nothing else would stop it. On Windows there is no such signal.
 */
export async function stopOnExit<T>(
  work: (launched: (server: ChildProcess) => void) => Promise<T>,
): Promise<T> {
  let server: ChildProcess | undefined;
  const stop = (): void => {
    server?.kill('SIGINT');
  };
  process.once('exit', stop);
  try {
    return await work((launched) => {
      server = launched;
    });
  } finally {
    process.off('exit', stop);
  }
}
