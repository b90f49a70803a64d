import { createHash } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { CHALLENGE_SCRIPT } from '../../../src/accounts/challenge.script';
import { startHarness, type Harness } from '../../harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the script of the page', () => {
  /** Runs the script as a worker does. */
  const solve = (task: object): Promise<number> =>
    new Promise((resolve) => {
      const worker = {
        onmessage: (_event: { data: object }): void => undefined,
        postMessage: ({ found }: { found?: number }): void => {
          if (found !== undefined) resolve(found);
        },
      };
      const context = createContext({ self: worker, setTimeout });
      new Script(CHALLENGE_SCRIPT).runInContext(context);
      worker.onmessage({ data: task });
    });

  it('finds what Node’s own SHA-256 finds, whatever the length of the salt', async () => {
    for (const length of [1, 40, 51, 54, 55, 56, 60, 63, 64, 65, 110, 119, 120, 128, 200]) {
      const salt = 'salt?&='.repeat(40).slice(0, length);
      for (const number of length === 64 ? [0, 20_001] : [7]) {
        const challenge = createHash('sha256').update(`${salt}${number}`).digest('hex');
        expect([length, await solve({ salt, challenge, maxnumber: 30_000 })]).toEqual([
          length,
          number,
        ]);
      }
    }
  });

  it('says so when there is no solution', async () => {
    expect(await solve({ salt: 'x', challenge: '0'.repeat(64), maxnumber: 10 })).toBe(-1);
  });

  it('is served to everybody, as a script', async () => {
    const { status, headers, text } = await harness.call('/service/challenge.js');
    expect([status, text]).toEqual([200, CHALLENGE_SCRIPT]);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });
});
