import { fork } from 'node:child_process';
import { join } from 'node:path';
import { type Load, type Order, type Report, type Run } from './generator';

/** The load generator, which is a process of its own. */
export interface LoadGenerator {
  /** Opens the connections and hands the requests over; returns a function that sends them. */
  prepare(run: Run): Promise<() => Promise<Load>>;
  stop(): void;
}

/** Starts the load generator. */
export function startGenerator(): LoadGenerator {
  const child = fork(join(__dirname, 'generator.js'), [], { serialization: 'advanced' });
  let waiting: { resolve(report: Report): void; reject(error: Error): void } | undefined;
  child.on('message', (report: Report) => waiting?.resolve(report));
  child.on('exit', (code) => waiting?.reject(new Error(`the load generator ended with ${code}`)));
  const ask = (order: Order): Promise<Report> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      child.send(order);
    });
  return {
    prepare: async (run) => {
      await ask(run);
      return async () => (await ask('start')) as Load;
    },
    stop: () => {
      child.disconnect();
    },
  };
}
