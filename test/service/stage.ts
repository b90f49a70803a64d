import { Browser } from '../e2e/oauth/browser';
import { REDIRECT, tokensFor, type TestClient } from '../e2e/oauth/protocol';
import { type Answer } from '../http';
import { Service, unique } from './client';

/** What an application may have without asking (docs/applications.md). */
export const USUAL_SCOPES = [
  'book_basic_r',
  'book_basic_w',
  'service_basic_common',
  'community_basic_note',
  'event_basic_r',
  'event_basic_w',
  'movie_basic_r',
];

/** Why an application is blocked (D120). */
export const BLOCK = { reason: 'a test', contact: 'help@service.example' };

/** Somebody with an account, who is signed in. */
export interface Person {
  readonly uid: string;
  readonly browser: Browser;
}

/** What forms carry; bytes are files. */
export type Fields = Readonly<Record<string, string | number | Buffer>>;

/** Somebody who calls with a token. */
export interface Member extends Person {
  readonly id: string;
  readonly token: string;
  get(path: string): Promise<Answer>;
  /** Sends a form; multipart where it has files. */
  send(method: string, path: string, fields?: Fields): Promise<Answer>;
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

/** What is set up on a service for tests, by its pages and APIs, and taken down after them. */
export class Stage {
  readonly service = new Service();
  private readonly undoing: (() => Promise<unknown>)[] = [];
  /** Of the first application that may call as often as it likes. */
  private key = '';

  /** Has something done at the end: what came last comes first. */
  atEnd(undo: () => Promise<unknown>): void {
    this.undoing.push(undo);
  }

  async close(): Promise<void> {
    for (const undo of this.undoing.reverse()) await undo();
  }

  /**
   * Calls without a token. An address has few such calls an hour, so they come with a key, which
   * gives no rights (D15).
   */
  nobody(method: string, path: string): Promise<Answer> {
    const mark = path.includes('?') ? '&' : '?';
    return this.service.call(`${path}${mark}apikey=${this.key}`, { method });
  }

  /** Makes a thing of the catalogue, which is removed at the end. @returns its id */
  async make(path: string, body: object): Promise<string> {
    const id = await this.service.make(path, body);
    this.atEnd(() => this.service.admin('DELETE', `${path}/${id}`));
    return id;
  }

  /** Somebody new, who makes an account. Accounts cannot be removed: it is blocked at the end. */
  async person(): Promise<Person> {
    const uid = `p.${unique()}`;
    const browser = await new Browser(this.service).register(uid, `password ${unique()}`);
    this.atEnd(async () => {
      const { body } = await this.service.admin('GET', `/users?q=${uid}`);
      await this.service.admin('POST', `/users/${body.users[0].id}/block`);
    });
    return { uid, browser };
  }

  /** A new application of a person, with the scopes that new ones have. It is blocked at the end. */
  async application(
    { browser }: Person,
    kind: 'confidential' | 'public' = 'confidential',
  ): Promise<TestClient> {
    const page = '/service/developer';
    const { status, text } = await browser.fill(page, `${page}/applications`, {
      name: `Test ${unique()}`,
      redirect_uris: REDIRECT,
      kind,
    });
    if (status !== 201) throw new Error(`no application: ${status} ${text}`);
    const shown = (id: string): string | undefined =>
      new RegExp(`id="${id}">([^<]+)<`).exec(text)?.[1];
    const clientId = shown('client_id') ?? '';
    this.atEnd(() => this.service.admin('POST', `/applications/${clientId}/block`, BLOCK));
    return { clientId, secret: shown('secret') };
  }

  /** An application that has more scopes, and may call as often as it likes. */
  async approved({ browser, uid }: Person, scopes: readonly string[]): Promise<TestClient> {
    const client = await this.application({ browser, uid });
    const page = `/service/developer/applications/${client.clientId}`;
    const at = `/applications/${client.clientId}`;
    if (scopes.length > 0) {
      const fields = { scope: scopes, reason: 'It is a test.', agreed: 'yes' };
      const { status, text } = await browser.fill(page, `${page}/request`, fields);
      if (status !== 303) throw new Error(`scopes cannot be asked for: ${status} ${text}`);
      await this.service.admin('POST', `${at}/approve`, { scopes });
    }
    await this.service.admin('PUT', `${at}/limit`, { per_hour: 0 });
    this.key ||= client.clientId;
    return client;
  }

  /** What a person does through an application that they let in. */
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

  /** Two people with tokens of the usual scopes, of one application. */
  async twoMembers(): Promise<[Member, Member]> {
    const [one, other] = [await this.person(), await this.person()];
    const client = await this.approved(one, []);
    return [await this.member(one, client), await this.member(other, client)];
  }
}
