import { randomHex } from '../random';
import { callAt, type TestResponse, type Call } from '../http';
import { routeCalled, type RouteRow } from './routes';

/** The address of the service and the token of an administrator, from the environment. */
function serviceUnderTest(): { readonly origin: string; readonly adminToken: string } {
  const { SERVICE_URL = '', SERVICE_ADMIN_TOKEN = '' } = process.env;
  if (SERVICE_URL === '' || SERVICE_ADMIN_TOKEN === '') {
    throw new Error('Set SERVICE_URL and SERVICE_ADMIN_TOKEN, a token with the scope admin');
  }
  return { origin: SERVICE_URL.replace(/\/+$/, ''), adminToken: SERVICE_ADMIN_TOKEN };
}

/** A random word of lower-case letters and digits, different in every run. */
export const unique = (): string => `q${randomHex(14)}`;

/** An unused id: far above those that the service assigns, below 2^53. */
export const uniqueId = (): number => 2 ** 50 + parseInt(randomHex(10), 16);

/** Milliseconds until changes must have reached every process. */
const PATIENCE = 10_000;

/** A running service, reached through HTTP only. */
export class Service {
  readonly call: Call;
  private readonly adminToken: string;
  private readonly called: { method: string; path: string; status: number }[] = [];

  constructor() {
    const { origin, adminToken } = serviceUnderTest();
    this.adminToken = adminToken;
    const call = callAt(origin);
    this.call = async (path, options = {}) => {
      const response = await call(path, options);
      const { method = 'GET' } = options;
      this.called.push({ method, path: new URL(path, origin).pathname, status: response.status });
      return response;
    };
  }

  /** Calls a path below `/admin/v1` as the administrator, with JSON. */
  admin(method: string, path: string, body?: object): Promise<TestResponse> {
    return this.call(`/admin/v1${path}`, {
      method,
      token: this.adminToken,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }

  /** Creates a record through `/admin/v1`. @returns its id */
  async make(path: string, body: object): Promise<string> {
    const response = await this.admin('POST', path, body);
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body.id as string;
  }

  /** The last 100 elements of a list of `/admin/v1`. */
  async last(path: string, member: string): Promise<TestResponse['body'][]> {
    const list = `${path}${path.includes('?') ? '&' : '?'}count=100&start=`;
    const { total } = (await this.admin('GET', `${list}0`)).body;
    return (await this.admin('GET', list + Math.max(0, total - 100))).body[member];
  }

  /**
   * Waits until a change has reached every process, such as a new word of the word list. Requests to
   * the administration API, which have no limits, fill the time between two checks.
   */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`not true after ${PATIENCE} ms`);
      for (let turn = 0; turn < 20; turn += 1) await this.admin('GET', '/limits');
    }
  }

  /** Routes without a successful request. */
  missed(rows: readonly RouteRow[]): string[] {
    return rows
      .filter((row) => !this.called.some((one) => routeCalled(row, one)))
      .map(([method, path, status]) => `${method} ${path} ${status}`);
  }
}
