import { readFile, statfs } from 'node:fs/promises';
import { inspectCertificate } from '../../app.certificate';
import { loadIoRedis } from '../../config/packages';
import { loadSettings, type Settings, SettingsError } from '../../config/settings';
import { readMigrations } from '../../database/migrate';
import { S3Storage } from '../../images/s3-storage';
import { hasSharpBinary, NO_SHARP_BINARY } from '../../images/sharp-binaries';
import { openDatabase, type OpenDatabase } from '../../server/open-database';
import { readCertificate } from '../../server/certificate';

/** Result of a check; a failed one says what to do. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'unused';
  readonly detail: string;
  readonly fix?: string;
}

type Outcome = Omit<Finding, 'check'>;

const ok = (detail: string): Outcome => ({ status: 'ok', detail });
const unused = (detail: string): Outcome => ({ status: 'unused', detail });
const warning = (detail: string, fix: string): Outcome => ({ status: 'warning', detail, fix });
const failed = (detail: string, fix: string): Outcome => ({ status: 'failed', detail, fix });

const MIN_NODE = [20, 19] as const;
const MIN_FREE_BYTES = 1024 ** 3;
/** Seconds that the clocks of this machine and of PostgreSQL may differ. */
const MAX_CLOCK_SECONDS = 5;
const CONNECT_MS = 3000;
const GIGABYTE = 1024 ** 3;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

/** Runs one check; an error that it throws is the finding. */
async function finding(
  check: string,
  fix: string,
  work: () => Outcome | Promise<Outcome>,
): Promise<Finding> {
  try {
    return { check, ...(await work()) };
  } catch (error) {
    return { check, ...failed(reasonOf(error), fix) };
  }
}

function node(): Outcome {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const wanted = MIN_NODE.join('.');
  if (fits) return ok(process.version);
  return failed(`${process.version} is too old`, `Install Node.js ${wanted} or newer.`);
}

async function disk(settings: Settings): Promise<Outcome> {
  const folder = settings.dataDir;
  const { bavail, bsize } = await statfs(folder).catch(() => statfs('.'));
  const free = bavail * bsize;
  const detail = `${(free / GIGABYTE).toFixed(1)} GB free in ${folder}`;
  if (free >= MIN_FREE_BYTES) return ok(detail);
  return warning(detail, 'Free disk space, or set DATA_DIR to a larger disk.');
}

async function postgres({ source, embedded }: OpenDatabase): Promise<Outcome> {
  const [row] = await source.query<{ version: string; isReadOnly: boolean }[]>(
    `SELECT current_setting('server_version') AS version,
       current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
  );
  const detail = `PostgreSQL ${row?.version ?? ''}${embedded ? ', embedded' : ''}`;
  if (!row?.isReadOnly) return ok(detail);
  return failed(
    `${detail}, accepts no writes`,
    'Set DATABASE_URL to the primary server, and default_transaction_read_only to off.',
  );
}

async function migrations({ direct }: OpenDatabase): Promise<Outcome> {
  const { states, later } = await readMigrations(direct);
  if (later.length > 0) {
    return warning(
      `${later.length} of a later version are applied: ${later.join(', ')}`,
      'Install the version that applied them, or run its "commonplace migrate down".',
    );
  }
  const pending = states.filter(({ applied }) => !applied).length;
  if (pending === 0) return ok(`${states.length} applied`);
  return warning(`${pending} pending`, 'Run "commonplace migrate up".');
}

async function clock({ source }: OpenDatabase): Promise<Outcome> {
  const before = Date.now();
  const [row] = await source.query<{ seconds: number }[]>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds',
  );
  const difference = (row?.seconds ?? 0) - (before + Date.now()) / 2000;
  const detail = `${Math.abs(difference).toFixed(1)} s between this machine and PostgreSQL`;
  if (Math.abs(difference) <= MAX_CLOCK_SECONDS) return ok(detail);
  return warning(detail, 'Synchronize the clocks of both machines with NTP.');
}

async function redis({ REDIS_URL }: Settings): Promise<Outcome> {
  if (REDIS_URL === undefined) {
    return unused('REDIS_URL is not set: each process counts rate limits on its own');
  }
  const { Redis } = loadIoRedis();
  const client = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The promise reports the error; without a listener ioredis prints it too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return ok(`Redis responds: ${await client.ping()}`);
  } finally {
    client.disconnect();
  }
}

async function pictures(settings: Settings): Promise<Outcome> {
  if (!hasSharpBinary()) return warning(NO_SHARP_BINARY, 'Run "npm ci" on this machine.');
  if (settings.PICTURES_S3_BUCKET === undefined) return unused('pictures are on the local disk');
  await new S3Storage(settings).get('doctor-check');
  return ok(`bucket ${settings.PICTURES_S3_BUCKET} can be read`);
}

async function tls(settings: Settings): Promise<Outcome> {
  const certificate = readCertificate(settings);
  if (!certificate || settings.TLS_CERT === undefined) return unused('TLS_CERT is not set');
  const pem = await readFile(settings.TLS_CERT);
  const { notAfter, warnings } = inspectCertificate(pem, settings.BASE_URL, new Date());
  const detail = `valid until ${notAfter.toISOString().slice(0, 10)}`;
  const [first] = warnings;
  if (first === undefined) return ok(detail);
  return warning(first, 'Replace the files of TLS_CERT and TLS_KEY; servers reload them.');
}

function settingsFinding(settings: Settings): Outcome {
  const isProduction = settings.NODE_ENV === 'production';
  if (isProduction && settings.BASE_URL === undefined) {
    return warning('BASE_URL is not set', 'Set BASE_URL to the public address of the service.');
  }
  if (isProduction && settings.CONTACT === '') {
    return warning('CONTACT is not set', 'Set CONTACT: developers of blocked applications see it.');
  }
  return ok(`valid for NODE_ENV=${settings.NODE_ENV}`);
}

const DATABASE_CURE =
  'Start PostgreSQL and correct DATABASE_URL, or unset it for the embedded database.';

async function databaseFindings(settings: Settings): Promise<Finding[]> {
  let database: OpenDatabase;
  try {
    database = await openDatabase(settings);
  } catch (error) {
    return [{ check: 'PostgreSQL', ...failed(reasonOf(error), DATABASE_CURE) }];
  }
  try {
    return [
      await finding('PostgreSQL', DATABASE_CURE, () => postgres(database)),
      await finding('migrations', 'Run "commonplace migrate up".', () => migrations(database)),
      await finding('clock', 'Synchronize the clocks with NTP.', () => clock(database)),
    ];
  } finally {
    await database.close();
  }
}

/** Checks everything that the service needs; it changes nothing. */
export async function runChecks(): Promise<Finding[]> {
  const first = await finding('Node.js', 'Install Node.js.', node);
  let settings: Settings;
  try {
    settings = loadSettings();
  } catch (error) {
    const faults = error instanceof SettingsError ? error.faults.join('; ') : reasonOf(error);
    const fix = 'Correct the variables; .env.example describes each.';
    return [first, { check: 'settings', ...failed(faults, fix) }];
  }
  return [
    first,
    { check: 'settings', ...settingsFinding(settings) },
    await finding('disk', 'Make DATA_DIR readable.', () => disk(settings)),
    ...(await databaseFindings(settings)),
    await finding('Redis', 'Start Redis and correct REDIS_URL, or unset it.', () =>
      redis(settings),
    ),
    await finding('pictures', 'Correct the settings PICTURES_S3_*.', () => pictures(settings)),
    await finding('TLS', 'Correct TLS_CERT and TLS_KEY.', () => tls(settings)),
  ];
}
