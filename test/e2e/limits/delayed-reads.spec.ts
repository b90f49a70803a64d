import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { until } from '../process/programs';

/** Milliseconds that `X-Test-Fault: slow` delays a request (D171). */
const SLOW_MS = 10_000;

/** Holds the timers of delayed requests until the test ends them. */
class HeldDelays {
  readonly ends: (() => void)[] = [];
  private readonly spy: jest.SpyInstance;

  constructor() {
    const start = globalThis.setTimeout;
    const held = (work: () => void, milliseconds?: number) => {
      if (milliseconds !== SLOW_MS) return start(work, milliseconds);
      this.ends.push(work);
      return start(() => undefined, 0);
    };
    this.spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(held);
  }

  restore(): void {
    this.spy.mockRestore();
  }
}

describe('a read that a test key delays (X-Test-Fault: slow)', () => {
  let harness: Harness;
  let make: Factories;
  let delays: HeldDelays;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
  });
  beforeEach(() => {
    delays = new HeldDelays();
  });
  afterEach(() => {
    delays.restore();
  });
  afterAll(() => harness.close());

  /** A token of a test key, for the user's private note. */
  const setUp = async () => {
    const { id: userId } = await make.aUser();
    const { id } = await make.aNote({ author_id: userId, privacy: 'private' });
    const token = await harness.token({ userId, scopes: ['community_basic_note'] });
    await harness.source.query(
      `UPDATE applications SET test_of = (SELECT min(id) FROM applications o WHERE o.id <> a.id)
       FROM (SELECT application_id AS id FROM access_tokens WHERE hash = sha256($1::bytea)) a
       WHERE applications.id = a.id`,
      [token],
    );
    return { path: `/v2/note/${id}`, token };
  };
  const read = (path: string, token: string, headers = {}) =>
    harness.call(path, { token, headers });

  /** Sends a read, and resolves when it is delayed. */
  const begin = async (path: string, token: string) => {
    const response = read(path, token, { 'x-test-fault': 'slow' });
    await until(() => Promise.resolve(delays.ends.length > 0));
    return {
      response,
      end: () =>
        delays.ends.forEach((end) => {
          end();
        }),
    };
  };

  it('200: is answered after the delay', async () => {
    const { path, token } = await setUp();
    const { response, end } = await begin(path, token);
    end();
    expect((await response).status).toBe(200);
  });

  it('401: is refused if its token is revoked during the delay', async () => {
    const { path, token } = await setUp();
    const { response, end } = await begin(path, token);
    await harness.source.query(
      'UPDATE access_tokens SET revoked_at = now() WHERE hash = sha256($1::bytea)',
      [token],
    );
    await until(async () => (await read(path, token)).status === 401);
    end();
    expect(await response).toMatchObject({ status: 401, body: { code: 103 } });
  });
});
