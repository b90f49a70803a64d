import { once } from 'node:events';
import { until } from '../faults/collectors';
import { atScale } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

const CONNECTIONS = atScale(2000, 20);

let target: Target;
let attacker: Attacker;
beforeAll(async () => {
  target = await Target.start({ MAX_CONNECTIONS: String(CONNECTIONS), LOG_LEVEL: 'warn' });
  attacker = new Attacker(target.port);
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

it('connections beyond MAX_CONNECTIONS are closed at once, and the others are served', async () => {
  const rest = await target.usage();
  const fresh = () => fetch(`${target.origin}/healthz`, { headers: { connection: 'close' } });
  // The connection that calls are kept alive on may still be open.
  await attacker.openMany(CONNECTIONS + 1, 'GET /healthz HTTP/1.1\r\nHost: test\r\n');
  const [refused] = await attacker.openMany(1);
  if (!refused?.closed) await once(refused as NodeJS.EventEmitter, 'end');
  await expect(fresh()).rejects.toThrow();
  attacker.leave();
  await target.recover('connections beyond the maximum', rest);
  expect((await fresh()).status).toBe(200);
  // The log is written in batches.
  const warnings = () => target.server.program.stdout.match(/MAX_CONNECTIONS/g) ?? [];
  await until('the warning is written', () => warnings().length > 0);
  expect(warnings()).toHaveLength(1);
});
