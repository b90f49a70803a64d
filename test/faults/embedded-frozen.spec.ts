import { HOLDER } from '../../src/database/embedded/connection';
import { isAlive } from '../../src/database/embedded/process';
import { type Environment } from '../e2e/process/programs';
import { figure } from '../figures';
import { EmbeddedService } from './embedded';
import { freezeServer, thawServer } from './postgres';
import { eventually, processesWith } from './processes';

/** Seconds in which a server without a lame-duck phase and without requests stops. */
const STOP_SECONDS = 15;

let service: EmbeddedService;

beforeEach(async () => {
  service = await EmbeddedService.open();
});

afterEach(() => service.close());

async function postmaster(): Promise<number> {
  const pid = (await service.postmaster()) ?? 0;
  expect(pid).toBeGreaterThan(0);
  return pid;
}

/** Ends the keep-alive connections, and freezes PostgreSQL before processes reconnect. */
async function freezeWithoutHolders(): Promise<void> {
  const holders = await service.withSource((source) =>
    source.query<{ pid: number }[]>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = '${HOLDER}'`,
    ),
  );
  expect(holders).not.toEqual([]);
  const main = await postmaster();
  process.kill(main, 'SIGSTOP');
  for (const { pid } of holders) {
    process.kill(pid, 'SIGTERM');
    await eventually('the session has ended', async () => !(await isAlive(pid)));
  }
  await freezeServer(main);
}

it.each<{ settings: Environment; freeze: () => Promise<unknown> }>([
  { settings: {}, freeze: async () => freezeServer(await postmaster()) },
  { settings: { WORKERS: '2' }, freeze: async () => freezeServer(await postmaster()) },
  { settings: { WORKERS: '2' }, freeze: freezeWithoutHolders },
])(
  'the last server to stop kills a frozen embedded PostgreSQL, which recovers ($settings, $freeze.name)',
  async ({ settings, freeze }) => {
    const server = await service.serve(settings);
    const writers = await service.write(2);
    await writers.more(5);
    await writers.stop();
    await freeze();
    const since = performance.now();
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    figure('s to stop with a frozen PostgreSQL', (performance.now() - since) / 1000, {
      atMost: STOP_SECONDS,
    });
    expect(server.program.stdout).toMatch(/The embedded PostgreSQL did not respond/);
    expect(await processesWith(service.dataDir)).toEqual([]);

    const next = await service.serve();
    expect(await service.missing(writers.acknowledged)).toEqual([]);
    expect(await next.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  },
  600_000,
);

it('a server that stops leaves a frozen embedded PostgreSQL to other servers', async () => {
  const [first, second] = [await service.serve({ WORKERS: '2' }), await service.serve()];
  const before = await service.postmaster();
  const frozen = await freezeServer(await postmaster());
  try {
    expect(await first.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  } finally {
    thawServer(frozen);
  }
  await eventually(
    'the other server is ready',
    async () => (await second.get('/readyz'))[0] === 200,
  );
  expect(await service.postmaster()).toBe(before);
  expect(await second.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(await processesWith(service.dataDir)).toEqual([]);
}, 600_000);
