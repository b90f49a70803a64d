import { type TestResponse, type Call } from '../../http';

/** The cookie that holds the session, over plain HTTP. */
const SESSION = 'commonplace_login';

const PASSWORD = 'correct horse battery';

const UNESCAPED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

/** Text of markup. */
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => UNESCAPED[name] ?? whole);

/** The hidden fields of the forms on a page, by name. */
export function hiddenFields(page: string): Record<string, string> {
  const found = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, unescaped(String(value))]));
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export const formBody = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  );

/** A browser that stores cookies and does not follow redirects. */
export class Browser {
  private readonly jar = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(private readonly harness: { readonly call: Call }) {}

  /** The value of the session cookie. */
  get cookie(): string {
    const session = this.jar.get(`__Host-${SESSION}`) ?? this.jar.get(SESSION);
    return session?.value ?? '';
  }

  /** The value of a cookie. */
  held(name: string): string {
    return this.jar.get(name)?.value ?? '';
  }

  /** Sets a cookie, as an attacker with access to the network or the machine could. */
  plant(value: string, name = SESSION): void {
    this.jar.set(name, { value, path: '/' });
  }

  /** Deletes all cookies, or the cookie of a name. */
  forget(name?: string): void {
    if (name === undefined) this.jar.clear();
    else this.jar.delete(name);
  }

  /** Opens an address of the service. */
  open(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.call(path, { headers });
  }

  /** Sends a form as it is. */
  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.call(path, { method: 'POST', headers, body: formBody(fields) });
  }

  /** Sends a form of a page that it opens for its hidden fields. */
  async fill(page: string, action: string, fields: Fields): Promise<TestResponse> {
    const { text } = await this.open(page);
    return this.post(action, { ...hiddenFields(text), ...fields });
  }

  /** Sends a form with a file, and the hidden fields of the page. */
  async upload(
    page: string,
    action: string,
    { name, bytes }: { readonly name: string; readonly bytes: Buffer },
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const { text } = await this.open(page);
    const body = new FormData();
    for (const [field, value] of Object.entries(hiddenFields(text))) body.append(field, value);
    body.append(name, new Blob([new Uint8Array(bytes)]), `${name}.png`);
    return this.call(action, { method: 'POST', headers, body });
  }

  /** Sends a form like {@link fill}, and opens the page that it redirects to. */
  async fillAndFollow(page: string, action: string, fields: Fields): Promise<TestResponse> {
    const response = await this.fill(page, action, fields);
    const location = response.headers.get('location');
    return location === null ? response : this.open(location);
  }

  /** The CSRF token of its forms. */
  async formToken(): Promise<string> {
    // A page that has a form with and without a session.
    const { text } = await this.open('/service/developer');
    const shown = text === '' ? (await this.open('/service/sign-in')).text : text;
    return hiddenFields(shown).form_token ?? '';
  }

  /** Makes an account, and is signed in with it. */
  async register(uid: string, password = PASSWORD): Promise<this> {
    const { status } = await this.fill('/service/register', '/service/register', {
      uid,
      password,
    });
    if (status !== 303) throw new Error(`${uid} could not register: ${status}`);
    return this;
  }

  signIn(uid: string, password = PASSWORD): Promise<TestResponse> {
    return this.fill('/service/sign-in', '/service/sign-in', { uid, password });
  }

  async signOut(): Promise<TestResponse> {
    return this.post('/service/sign-out', { form_token: await this.formToken() });
  }

  private async call(
    path: string,
    options: {
      method?: string;
      headers: Record<string, string>;
      body?: URLSearchParams | FormData;
    },
  ): Promise<TestResponse> {
    const headers: Record<string, string> = { accept: 'text/html', ...options.headers };
    const cookies = [...this.jar].filter(([, { path: below }]) => path.startsWith(below));
    if (cookies.length > 0) {
      headers.cookie = cookies.map(([name, { value }]) => `${name}=${value}`).join('; ');
    }
    const response = await this.harness.call(path, { ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, below = '/'] = /; Path=([^;]*)/i.exec(line) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, { value, path: below });
    }
    return response;
  }
}
