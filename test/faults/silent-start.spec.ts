import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { type Ended, Workshop, type Program } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';

/** Milliseconds of `DATABASE_CONNECT_TIMEOUT_MS`: it bounds the start. */
const PATIENCE = '1000';

/**
 * A way to PostgreSQL that falls silent when a client sends a certain text: connections stay open,
 * and the client's bytes never arrive.
 */
class StallingProxy {
  private readonly sockets = new Set<Socket>();
  /** Resolved when it has fallen silent. */
  readonly silent: Promise<void>;
  private fallSilent: () => void = () => undefined;
  private isSilent = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly text: string,
  ) {
    this.silent = new Promise((resolve) => {
      this.fallSilent = resolve;
    });
    server.on('connection', (near: Socket) => {
      this.forward(near);
    });
  }

  /** @param text of the first statement that gets no response */
  static async before(url: string, text: string): Promise<StallingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StallingProxy(server, new URL(url), text);
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  private forward(near: Socket): void {
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('data', (bytes: Buffer) => {
      if (bytes.includes(this.text)) {
        this.isSilent = true;
        this.fallSilent();
      }
      if (!this.isSilent) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (!this.isSilent) near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => this.isSilent || near.destroy());
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

let workshop: Workshop;
let opened: TestDatabase;
let proxy: StallingProxy;
beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
});
afterEach(async () => {
  await workshop.clear();
  await proxy.close();
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

/** Settings that lead to a database that falls silent at a statement with this text. */
async function silentAt(text: string): Promise<Record<string, string>> {
  proxy = await StallingProxy.before(opened.url, text);
  return { DATABASE_URL: proxy.url, DATABASE_CONNECT_TIMEOUT_MS: PATIENCE };
}

/** Steps of a start, by the statement at which the database falls silent. */
const STEPS: readonly (readonly [step: string, statement: string])[] = [
  ['the session settings', 'set_config'],
  ["TypeORM's first statement", 'version()'],
  ['the check of the server', 'server_encoding'],
  ['the look for migrations', 'to_regclass'],
];

/** The lock of the migrations, which may take long: nothing bounds it. */
const MIGRATION_LOCK = 'pg_advisory_lock';
/** The start of the application, or the work of the command. */
const WORK = 'FROM users';

/** Makes the newest migration pending, without undoing it. */
const withPendingMigration = async (work: () => Promise<void>): Promise<void> => {
  const newest = 'SELECT * FROM migrations ORDER BY id DESC LIMIT 1';
  const [row] =
    await opened.source.query<{ id: number; timestamp: string; name: string }[]>(newest);
  await opened.source.query('DELETE FROM migrations WHERE id = $1', [row?.id]);
  try {
    await work();
  } finally {
    await opened.source.query('INSERT INTO migrations VALUES ($1, $2, $3)', [
      row?.id,
      row?.timestamp,
      row?.name,
    ]);
  }
};

const PROGRAMS: readonly (readonly [
  name: string,
  begin: (env: Record<string, string>) => Program,
])[] = [
  ['the server', (env) => workshop.begin(env)],
  ['a command', (env) => workshop.command(env, ['user', 'list'])],
];

describe.each(PROGRAMS)('%s whose database falls silent', (name, begin) => {
  it.each(STEPS)('at %s ends with the reason', async (_step, statement) => {
    const { code, stderr } = await begin(await silentAt(statement)).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^commonplace: The .*(time-?out|within 1 s|within 3 s).*\n$/,
      ) as string,
    });
    const { password } = new URL(opened.url);
    if (password !== '') expect(stderr).not.toContain(password);
  });

  const expectEnd = async (statement: string): Promise<void> => {
    // Longer than the test: only the signal can end it.
    const env = { ...(await silentAt(statement)), DATABASE_CONNECT_TIMEOUT_MS: '600000' };
    const program = begin(env);
    await proxy.silent;
    program.child.kill('SIGTERM');
    const { code, signal, stderr }: Ended = await program.ended;
    const status = name === 'the server' ? 0 : 143;
    expect({ code, signal, stderr }).toEqual({ code: status, signal: null, stderr: '' });
  };

  it.each([...STEPS, ['its work', WORK] as const])('at %s ends with a signal', (_step, statement) =>
    expectEnd(statement),
  );

  it('at the lock of the migrations ends with a signal', () =>
    withPendingMigration(() => expectEnd(MIGRATION_LOCK)));
});
