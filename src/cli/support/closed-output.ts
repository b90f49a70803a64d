/** 128 and the number of SIGPIPE: the status that shells report for a program that it ended. */
const SIGPIPE_STATUS = 141;

let closed = false;

/** Whether the pipe of standard output is closed (EPIPE), for example by `head`. */
export const isOutputClosed = (): boolean => closed;

/**
 * Ignores EPIPE on standard output and standard error. Commands that write to the database finish;
 * lists and exports stop at their next line. The exit status is 141 when output was lost.
 */
export function handleBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    process.exitCode = SIGPIPE_STATUS;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
