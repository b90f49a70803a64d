import { randomBytes } from 'node:crypto';
import { callAt, type Answer, type Call } from '../http';
import { routeCalled, type RouteRow } from './routes';

/** A service somewhere, and the token of one of its administrators. */
export interface Place {
  readonly origin: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

declare global {
  /** Starts a service in this process; there when no other is named (`jest.config.js`). */
  var serveHere: (() => Promise<Place>) | undefined;
}

/** The service that the environment names, or one in this process where it names none. */
async function find(): Promise<Place> {
  if (globalThis.serveHere) return globalThis.serveHere();
  const { SERVICE_URL = '', SERVICE_ADMIN_TOKEN = '' } = process.env;
  if (SERVICE_ADMIN_TOKEN === '') {
    throw new Error('SERVICE_ADMIN_TOKEN is missing: a token with the scope admin');
  }
  const origin = SERVICE_URL.replace(/\/+$/, '');
  return { origin, adminToken: SERVICE_ADMIN_TOKEN, close: () => Promise.resolve() };
}

/** Something that no other run of these tests has: small letters and digits, beginning with one. */
export const unique = (): string => `q${randomBytes(7).toString('hex')}`;

/** An id that nothing else has: far above those that are given, below 2^53. */
export const uniqueId = (): number => 2 ** 50 + randomBytes(5).readUIntBE(0, 5);

/** Milliseconds that something is waited for which servers tell each other. */
const PATIENCE = 10_000;

/** A service as a stranger meets it: HTTP, and nothing else. */
export class Service {
  readonly origin: string;
  readonly call: Call;
  private readonly called: { method: string; path: string; status: number }[] = [];

  private constructor(private readonly place: Place) {
    this.origin = place.origin;
    const call = callAt(place.origin);
    this.call = async (path, options = {}) => {
      const answer = await call(path, options);
      const { pathname } = new URL(path, place.origin);
      this.called.push({
        method: options.method ?? 'GET',
        path: pathname,
        status: answer.status,
      });
      return answer;
    };
  }

  static async open(): Promise<Service> {
    return new Service(await find());
  }

  close(): Promise<void> {
    return this.place.close();
  }

  /** Calls a path below `/admin/v1` as the administrator, with JSON. */
  admin(method: string, path: string, body?: object): Promise<Answer> {
    return this.call(`/admin/v1${path}`, {
      method,
      token: this.place.adminToken,
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

  /**
   * Waits for what the processes of a service tell each other a moment later, such as banned words.
   * Between two looks it asks the administration API, which no limit counts.
   */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('it never came to be');
      for (let turn = 0; turn < 5; turn += 1) await this.admin('GET', '/limits');
    }
  }

  /** Those of the routes that were not called with success. */
  missed(rows: readonly RouteRow[]): string[] {
    return rows
      .filter((row) => !this.called.some((one) => routeCalled(row, one)))
      .map(([method, path, status]) => `${method} ${path} ${status}`);
  }
}
