import { setTimeout as pause } from 'node:timers/promises';
import { LIMIT_NAMES } from '../../src/config/limit-settings';
import { Settings, SETTING_NAMES } from '../../src/config/settings';
import { type Postgres } from '../faults/postgres';
import { Topology } from './topology';

const STATUS_MS = 1000;
const PORT = 8443;

/** Settings from the environment, with the default limits, which tests turn off. */
function settings(): Record<string, string> {
  const defaults = new Settings();
  const limits = LIMIT_NAMES.map((name) => [name, String(defaults[name])] as const);
  const own = SETTING_NAMES.map((name) => [name, process.env[name] ?? ''] as const);
  return {
    SAMPLE: 'true',
    ...Object.fromEntries(limits),
    ...Object.fromEntries(own.filter(([name, value]) => value !== '' && name !== 'PORT')),
  };
}

interface Role {
  readonly standby: boolean;
  readonly bytes: number;
}

/** Role of a server, and of a standby the bytes that it has received and not replayed. */
async function describe(name: string, server: Postgres): Promise<string> {
  const rows = await server
    .sql<Role>(
      `SELECT pg_is_in_recovery() AS standby, coalesce(pg_wal_lsn_diff(pg_last_wal_receive_lsn(),
         pg_last_wal_replay_lsn()), 0)::float8 AS bytes`,
    )
    .catch((): Role[] => []);
  const [role] = rows;
  if (!role) return `${name} down`;
  return role.standby ? `${name} standby (${role.bytes} bytes behind)` : `${name} primary`;
}

async function statusOf(topology: Topology): Promise<string> {
  const { postgres, replicas, servers } = topology;
  const sum = async (metric: string): Promise<number> => {
    const values = await Promise.all(servers.map((server) => server.metric(metric)));
    return values.reduce((total, value) => total + value, 0);
  };
  const parts = await Promise.all([
    describe('pg1', postgres),
    describe('pg2', replicas[0]),
    describe('pg3', replicas[1]),
    sum('commonplace_requests_total').then((count) => `${count} requests`),
    sum('commonplace_request_statements_total{server="replica"}').then(
      (count) => `${count} statements on replicas`,
    ),
  ]);
  return parts.join(' | ');
}

function addresses(topology: Topology): string {
  const { folder, origin, postgres, replicas, redis, servers, jobs } = topology;
  const lines = [
    `HAProxy (TLS)        ${origin}`,
    ...servers.map(({ name, origin: at, metricsPort }) => {
      return `${name.padEnd(20)} ${at} (metrics on ${metricsPort})`;
    }),
    `${'jobs'.padEnd(20)} ${jobs.origin}`,
    `PostgreSQL 1         ${postgres.url} (primary)`,
    `PostgreSQL 2         ${replicas[0].url} (synchronous replica)`,
    `PostgreSQL 3         ${replicas[1].url} (replica)`,
    `Redis                ${redis.url}`,
    `Folder               ${folder}`,
    '',
    `Try it: curl --cacert ${folder}/haproxy.crt ${origin}/v2/book/1`,
    'Stop it with Ctrl-C.',
  ];
  return `${lines.join('\n')}\n`;
}

async function main(): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stopped.abort();
    });
  }
  const port = Number(process.env.PORT ?? PORT);
  const parent = process.env.DATA_DIR;
  const topology = await Topology.start({ port, settings: settings(), ...(parent && { parent }) });
  process.stdout.write(addresses(topology));
  while (!stopped.signal.aborted) {
    const line = await statusOf(topology);
    process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    await pause(STATUS_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
  }
  process.stdout.write('\nStopping.\n');
  await topology.stop();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`topology: ${(error as Error).message}\n`);
    process.exit(1);
  },
);
