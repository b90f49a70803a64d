import { type Server } from 'node:http';

/** Repeats work at an interval in milliseconds while a server listens. It keeps no process running. */
export function repeatWhileListening(server: Server, intervalMs: number, work: () => void): void {
  let clock: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    clock = setInterval(work, intervalMs).unref();
  });
  server.on('close', () => {
    clearInterval(clock);
  });
}
