import { once } from 'node:events';
import { childProcessesOf } from '../e2e/process/child-processes';
import { until } from '../faults/collectors';
import { Attacker } from './sockets';
import { Target } from './target';

/** Connections of one address, which wait in the backlog of the kernel: it has room for 4,096. */
const CONNECTIONS = 3000;

/** Connections that a process keeps while the service does not take them. */
const MAX_HELD = 2000;

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n';

describe.each([
  ['one process', {}],
  ['workers', { WORKERS: '2' }],
])('a server of %s that many connections of one address wait for', (_, settings) => {
  let target: Target;
  let attacker: Attacker;
  beforeAll(async () => {
    target = await Target.start({ ...settings, MAX_CONNECTIONS: '10000' });
    attacker = new Attacker(target.port);
  });
  afterAll(async () => {
    attacker.leave();
    await target.close();
  });

  it('takes one of another address before most of them, and serves at least 2,000', async () => {
    const stopped = [...(await childProcessesOf(target.pid)), target.pid];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const flood = await attacker.openMany(CONNECTIONS, REQUEST, { from: '127.0.0.2' });
    let served = 0;
    for (const socket of flood) socket.once('data', () => (served += 1));
    const other = await attacker.open(REQUEST, { from: '127.0.0.3' });
    const answered = once(other, 'data').then(() => served);
    for (const pid of stopped.reverse()) process.kill(pid, 'SIGCONT');
    expect(await answered).toBeLessThan(CONNECTIONS / 2);
    const closed = (): number =>
      flood.filter((socket) => socket.destroyed || socket.readableEnded).length;
    await until('each is served or closed', () => served + closed() >= CONNECTIONS);
    // Others are closed where the service takes them more slowly than they are accepted.
    expect(served).toBeGreaterThanOrEqual(MAX_HELD);
  });
});
