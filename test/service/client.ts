import { randomHex } from '../random';
import { callAt, type Answer, type Call } from '../http';
import { routeCalled, type RouteRow } from './routes';

/** What these tests are given: where the service is, and the token of an administrator. */
function given(): { readonly origin: string; readonly adminToken: string } {
  const { SERVICE_URL = '', SERVICE_ADMIN_TOKEN = '' } = process.env;
  if (SERVICE_URL === '' || SERVICE_ADMIN_TOKEN === '') {
    throw new Error('SERVICE_URL goes with SERVICE_ADMIN_TOKEN, a token with the scope admin');
  }
  return { origin: SERVICE_URL.replace(/\/+$/, ''), adminToken: SERVICE_ADMIN_TOKEN };
}

/** Something that no other run of these tests has: small letters and digits, beginning with one. */
export const unique = (): string => `q${randomHex(14)}`;

/** An id that nothing else has: far above those that are given, below 2^53. */
export const uniqueId = (): number => 2 ** 50 + parseInt(randomHex(10), 16);

/** Milliseconds that something is waited for which servers tell each other. */
const PATIENCE = 10_000;

/** A service as a stranger meets it: HTTP, and nothing else. */
export class Service {
  readonly call: Call;
  private readonly adminToken: string;
  private readonly called: { method: string; path: string; status: number }[] = [];

  constructor() {
    const { origin, adminToken } = given();
    this.adminToken = adminToken;
    const call = callAt(origin);
    this.call = async (path, options = {}) => {
      const answer = await call(path, options);
      const { method = 'GET' } = options;
      this.called.push({ method, path: new URL(path, origin).pathname, status: answer.status });
      return answer;
    };
  }

  /** Calls a path below `/admin/v1` as the administrator, with JSON. */
  admin(method: string, path: string, body?: object): Promise<Answer> {
    return this.call(`/admin/v1${path}`, {
      method,
      token: this.adminToken,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }

  /** Makes something below `/admin/v1`. @returns its id */
  async make(path: string, body: object): Promise<string> {
    const answer = await this.admin('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.id as string;
  }

  /** The last elements of a list below `/admin/v1`, a hundred at most. */
  async last(path: string, member: string): Promise<Answer['body'][]> {
    const list = `${path}${path.includes('?') ? '&' : '?'}count=100&start=`;
    const { total } = (await this.admin('GET', `${list}0`)).body;
    return (await this.admin('GET', list + Math.max(0, total - 100))).body[member];
  }

  /**
   * Waits for what the processes of a service tell each other a moment later, such as banned words.
   * Between two looks it asks the administration API, which no limit counts.
   */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('it never came to be');
      for (let turn = 0; turn < 20; turn += 1) await this.admin('GET', '/limits');
    }
  }

  /** Those of the routes that were not called with success. */
  missed(rows: readonly RouteRow[]): string[] {
    return rows
      .filter((row) => !this.called.some((one) => routeCalled(row, one)))
      .map(([method, path, status]) => `${method} ${path} ${status}`);
  }
}
