import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../src/server/listen';

const RUNNER = join(__dirname, '../../e2e/process/typescript.js');
const PROGRAM = join(__dirname, 'worker-port.program.ts');

it('a worker probes ports without its parent process, which would accept connections', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const free = await freePort();
  const listening: unknown[] = [];
  const listen = (_worker: unknown, address: unknown): void => {
    listening.push(address);
  };
  cluster.on('listening', listen);
  cluster.setupPrimary({ exec: RUNNER, args: [PROGRAM, String(taken), String(free)] });
  const worker = cluster.fork();
  const exited = once(worker, 'exit');
  try {
    expect(await once(worker, 'message')).toEqual([free, undefined]);
    expect((await exited)[0]).toBe(0);
    expect(listening).toEqual([]);
  } finally {
    worker.process.kill('SIGKILL');
    cluster.off('listening', listen);
    other.close();
  }
});
