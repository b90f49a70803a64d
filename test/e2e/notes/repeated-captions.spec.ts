import { startHarness, type Harness } from '../../harness';
import { Factories } from '../../factories/factories';

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await startHarness();
  const { id: userId } = await new Factories(harness.database).aUser();
  token = await harness.token({ userId });
});
afterAll(() => harness.close());

const send = (path: string, method: string, content: string) =>
  harness.call(path, { method, token, body: new URLSearchParams({ title: 't', content }) });

it.each([
  // Together longer than the longest string of V8.
  ['of two UTF-16 units each', '\u{20bb7}'.repeat(49_980)],
  ['that begin marks', '[img'.repeat(12_490)],
])(
  'a note that repeats a stored caption thousands of times is rejected unwritten: characters %s',
  async (_, caption) => {
    const { status, body } = await send('/v2/notes', 'POST', `[img=1:C]${caption}[/img]`);
    expect(status).toBe(201);
    const path = `/v2/note/${String(body.id)}`;
    const before = process.memoryUsage().rss;
    const repeated = await send(path, 'PUT', '<图片p_1>'.repeat(7_142));
    expect([repeated.status, repeated.body.code]).toEqual([400, 999]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    const { body: kept } = await harness.call(path, { token });
    expect(kept.content).toBe(body.content);
  },
);
