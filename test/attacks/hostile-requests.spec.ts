import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { ALL_SCOPES } from '../../src/api/access/access';
import { send } from '../e2e/api/fuzz.responses';
import { atScale, figure, FULL_SCALE } from '../figures';
import { hostilePaths, hostileRequests, operationsOf, type HostileRequest } from './hostile';
import { Target } from './target';

/** The tests send every nth of the hostile requests to an operation; this is n. */
const EVERY = Number(process.env.EVERY ?? atScale(1, 97));

/** Requests under way at once. */
const AT_ONCE = 4;

let target: Target;
let tokens: string[];
let ids: Record<string, string>;
beforeAll(async () => {
  target = await Target.start({ LOG_LEVEL: 'error', CAPTCHA_AFTER: '0' });
  const { make, opened } = target;
  const { id: userId, uid } = await make.aUser();
  await opened.source.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [userId]);
  const { id: annotation, book_id } = await make.anAnnotation({ author_id: userId });
  const { id: event } = await make.anEvent();
  const { id: note } = await make.aNote({ author_id: userId });
  ids = {
    ...{ book: String(book_id), annotation: String(annotation), note: String(note) },
    ...{ event: String(event), user: String(userId), name: uid },
  };
  tokens = [await target.token({ userId, scopes: ALL_SCOPES }), ''];
});
afterAll(() => target.close());

/** An id of an existing record, if the operation has one. */
function idFor(path: string): string {
  const kind = ['annotation', 'note', 'event', 'book'].find((one) => path.includes(one));
  return /user/.test(path) ? String(ids.user) : (ids[kind ?? ''] ?? '1');
}

/** Operations that need something slow or end what the others need. */
const LEFT_OUT = new Set(['/admin/v1/users/{id}/role', '/admin/v1/users/{id}/block']);

function* requests(): Generator<HostileRequest> {
  const operations = ['openapi.json', 'openapi.admin.json'].flatMap((name) => {
    const text = readFileSync(join(__dirname, '../../docs', name), 'utf8');
    return [...operationsOf(JSON.parse(text) as Parameters<typeof operationsOf>[0])];
  });
  let at = 0;
  for (const operation of operations) {
    if (LEFT_OUT.has(operation.path)) continue;
    const values = { id: idFor(operation.path), name: String(ids.name), reply: '1' };
    for (const request of hostileRequests(operation, values)) {
      at += 1;
      if (at % EVERY === 0) yield request;
    }
  }
  yield* hostilePaths();
}

it('hostile requests to every operation get a prompt response, and never 500', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const faults: string[] = [];
  const slow: (readonly [number, string])[] = [];
  const left = requests();
  let sent = 0;
  const work = async (): Promise<void> => {
    for (const request of left) {
      const token = tokens[sent % tokens.length] as string;
      sent += 1;
      const authorization = `Bearer ${token}`;
      const headers = token === '' ? request.headers : { authorization, ...request.headers };
      const about = `${request.method} ${request.path.slice(0, 100)}: ${request.name}`;
      const startedAt = performance.now();
      try {
        const { status, text } = await send(target.origin, agent, {
          template: '',
          ...request,
          headers,
        });
        if (status >= 500) faults.push(`${status} ${text.slice(0, 200)}: ${about}`);
      } catch (error) {
        faults.push(`${String(error)}: ${about}`);
      }
      slow.push([performance.now() - startedAt, about]);
    }
  };
  await target.attack('hostile requests', async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
  agent.destroy();
  slow.sort(([one], [other]) => other - one);
  if (process.env.SLOWEST) {
    for (const [ms, about] of slow.slice(0, 60)) {
      process.stderr.write(`${Math.round(ms)} ms ${about}\n`);
    }
  }
  // The log of the server has the stack of a failure.
  const log = faults.length === 0 ? '' : target.server.program.stdout.slice(0, 20_000);
  expect({ faults, log }).toEqual({ faults: [], log: '' });
  expect(sent).toBeGreaterThan(FULL_SCALE ? 10_000 : 100);
  const [slowest = [0, '']] = slow;
  figure('slowest response to a hostile request: ms', slowest[0], { atMost: 1000 });
  figure('its 99th percentile: ms', slow[Math.floor(slow.length / 100)]?.[0] ?? 0, { atMost: 50 });
});
