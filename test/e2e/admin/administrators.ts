import { type TestResponse, type Harness } from '../../harness';

/** An administrator who calls the administration API with JSON. */
export interface Administrator {
  readonly id: number;
  readonly uid: string;
  readonly token: string;
  get(path: string): Promise<TestResponse>;
  post(path: string, body?: object): Promise<TestResponse>;
  put(path: string, body?: object): Promise<TestResponse>;
  remove(path: string): Promise<TestResponse>;
}

let made = 0;

/** A user of a role. */
export async function aUserOf(
  harness: Harness,
  role: 'member' | 'administrator',
): Promise<{ id: number; uid: string }> {
  made += 1;
  const uid = `${role}${made}`;
  const [{ id }] = await harness.source.query(
    'INSERT INTO users (uid, name, role) VALUES ($1, $1, $2) RETURNING id::int',
    [uid, role],
  );
  return { id, uid };
}

/** Somebody who writes, with a token of every scope of the interface. */
export interface Writer {
  readonly id: number;
  readonly token: string;
  get(path: string): Promise<TestResponse>;
  post(path: string, fields: Record<string, string>): Promise<TestResponse>;
}

export async function aWriter(harness: Harness): Promise<Writer> {
  const { id } = await aUserOf(harness, 'member');
  const token = await harness.token({ userId: id });
  return {
    id,
    token,
    get: (path) => harness.call(path, { token }),
    post: (path, fields) =>
      harness.call(path, { method: 'POST', token, body: new URLSearchParams(fields) }),
  };
}

/** A fresh administrator, with a token of the scope. */
export async function anAdministrator(harness: Harness): Promise<Administrator> {
  const { id, uid } = await aUserOf(harness, 'administrator');
  const token = await harness.token({ userId: id, scopes: ['admin'], approved: ['admin'] });
  const call = (method: string, path: string, body?: object) =>
    harness.call(`/admin/v1${path}`, {
      method,
      token,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  return {
    id,
    uid,
    token,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    remove: (path) => call('DELETE', path),
  };
}

/** Entries of the audit log about a record, latest first: action, before and after. */
export async function changesOf(
  administrator: Administrator,
  kind: string,
  id: string | number,
): Promise<{ action: string; actor: string; before: unknown; after: unknown }[]> {
  const { body } = await administrator.get(`/audit?kind=${kind}&id=${encodeURIComponent(id)}`);
  return body.entries;
}
