import { errorText } from '../../api/errors/error-text';

/** 128 and the number of SIGPIPE: the status that shells report for a program that it ended. */
const SIGPIPE_STATUS = 141;

let closed = false;

/**
 * Whether standard output takes no more: its pipe is closed (EPIPE), for example by `head`, or its
 * disk is full.
 */
export const isOutputClosed = (): boolean => closed;

/**
 * Handles errors of standard output and standard error, which would otherwise end the process
 * before it stops the embedded PostgreSQL. Commands that write to the database finish; lists and
 * exports stop at their next line. The exit status is 141 if the pipe of standard output was
 * closed. For other errors it is 1, and the first one is printed.
 */
export function handleOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Later writes fail as well.
    if (closed) return;
    closed = true;
    process.exitCode = error.code === 'EPIPE' ? SIGPIPE_STATUS : 1;
    if (error.code !== 'EPIPE') {
      process.stderr.write(`commonplace: cannot write to standard output: ${errorText(error)}\n`);
    }
  });
  // A message that cannot be printed does not change what the command does.
  process.stderr.on('error', () => undefined);
}
