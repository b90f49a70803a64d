import { Browser } from '../e2e/oauth/browser';
import { REDIRECT, tokensFor, type TestClient } from '../e2e/oauth/protocol';
import { type TestResponse } from '../http';
import { Service, unique } from './client';

/** Scopes that every application has without approval (docs/applications.md). */
export const USUAL_SCOPES = [
  'book_basic_r',
  'book_basic_w',
  'service_basic_common',
  'community_basic_note',
  'event_basic_r',
  'event_basic_w',
  'movie_basic_r',
];

/** Body of a request that blocks an application (D120). */
export const BLOCK = { reason: 'a test', contact: 'help@service.example' };

/** A user with an account, and a browser that is signed in. */
export interface Person {
  readonly uid: string;
  readonly browser: Browser;
}

/** Fields of a form; buffers are files. */
export type Fields = Readonly<Record<string, string | number | Buffer>>;

/** A user whose requests have a token. */
export interface Member extends Person {
  readonly id: string;
  readonly token: string;
  get(path: string): Promise<TestResponse>;
  /** Sends a form; multipart where it has files. */
  send(method: string, path: string, fields?: Fields): Promise<TestResponse>;
}

function bodyOf(fields: Fields): FormData | URLSearchParams {
  const files = Object.values(fields).some((value) => Buffer.isBuffer(value));
  const body = files ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (!Buffer.isBuffer(value)) body.append(name, String(value));
    else (body as FormData).append(name, new Blob([Buffer.from(value)]), `${name}.bin`);
  }
  return body;
}

/** Creates users, applications and records through pages and APIs, and deletes them afterwards. */
export class Stage {
  readonly service = new Service();
  private readonly cleanups: (() => Promise<unknown>)[] = [];
  /** Client id of the first application without a rate limit. */
  private key = '';

  /** Registers a function for `close`, which runs them in reverse order. */
  atEnd(cleanup: () => Promise<unknown>): void {
    this.cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups.reverse()) await cleanup();
  }

  /**
   * Sends a request without a token. An address has few anonymous requests an hour, so that these
   * have an API key, which grants nothing (D15).
   */
  nobody(method: string, path: string): Promise<TestResponse> {
    const mark = path.includes('?') ? '&' : '?';
    return this.service.call(`${path}${mark}apikey=${this.key}`, { method });
  }

  /** Creates a record, which `close` deletes. @returns its id */
  async make(path: string, body: object): Promise<string> {
    const id = await this.service.make(path, body);
    this.atEnd(() => this.service.admin('DELETE', `${path}/${id}`));
    return id;
  }

  /** Registers a new user. Accounts cannot be deleted, so that `close` blocks it. */
  async person(): Promise<Person> {
    const uid = `p.${unique()}`;
    const browser = await new Browser(this.service).register(uid, `password ${unique()}`);
    this.atEnd(async () => {
      const { body } = await this.service.admin('GET', `/users?q=${uid}`);
      await this.service.admin('POST', `/users/${body.users[0].id}/block`);
    });
    return { uid, browser };
  }

  /** Registers an application with the default scopes. `close` blocks it. */
  async application(
    { browser }: Person,
    kind: 'confidential' | 'public' = 'confidential',
  ): Promise<TestClient> {
    const page = '/service/developer';
    const { status, text } = await browser.fillAndFollow(page, `${page}/applications`, {
      name: `Test ${unique()}`,
      redirect_uris: REDIRECT,
      kind,
    });
    if (status !== 200) throw new Error(`no application: ${status} ${text}`);
    const shown = (id: string): string | undefined =>
      new RegExp(`id="${id}">([^<]+)<`).exec(text)?.[1];
    const clientId = shown('client_id') ?? '';
    this.atEnd(() => this.service.admin('POST', `/applications/${clientId}/block`, BLOCK));
    return { clientId, secret: shown('secret') };
  }

  /** Registers an application with further scopes and without a rate limit. */
  async approved({ browser, uid }: Person, scopes: readonly string[]): Promise<TestClient> {
    const client = await this.application({ browser, uid });
    const page = `/service/developer/applications/${client.clientId}`;
    const at = `/applications/${client.clientId}`;
    if (scopes.length > 0) {
      const fields = { scope: scopes, reason: 'It is a test.', agreed: 'yes' };
      const { status, text } = await browser.fill(page, `${page}/request`, fields);
      if (status !== 303) throw new Error(`the request for scopes failed: ${status} ${text}`);
      await this.service.admin('POST', `${at}/approve`, { scopes });
    }
    await this.service.admin('PUT', `${at}/limit`, { per_hour: 0 });
    this.key ||= client.clientId;
    return client;
  }

  /** Authorizes an application, and returns the user with its token. */
  async member(
    person: Person,
    client: TestClient,
    scopes: readonly string[] = USUAL_SCOPES,
  ): Promise<Member> {
    const { call } = this.service;
    const tokens = await tokensFor(this.service, person.browser, client, {
      scope: scopes.join(','),
    });
    const token = tokens.access_token;
    return {
      ...person,
      id: tokens.user_id,
      token,
      get: (path) => call(path, { token }),
      send: (method, path, fields) =>
        call(path, { method, token, ...(fields ? { body: bodyOf(fields) } : {}) }),
    };
  }

  /** Two users with tokens of the usual scopes, of the same application. */
  async twoMembers(): Promise<[Member, Member]> {
    const [one, other] = [await this.person(), await this.person()];
    const client = await this.approved(one, []);
    return [await this.member(one, client), await this.member(other, client)];
  }
}
