import { connect } from 'node:net';
import { Factories } from '../../factories/factories';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { bytesOf, sendBytes } from './bytes';

/** Requests as real clients of the original service send them (D42, D43). */
describe('requests of old clients', () => {
  let harness: Harness;
  let make: Factories;
  let reader: number;
  let token: string;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    reader = (await make.aUser()).id;
    token = await harness.token({ userId: reader });
  });
  afterAll(() => harness.close());

  const call = (path: string, method = 'GET', body?: URLSearchParams): Promise<TestResponse> =>
    harness.call(path, { method, token, body });

  /** The status and the JSON body of a response to these bytes. */
  async function send(bytes: string): Promise<[status: number, body: unknown]> {
    const received = await sendBytes(harness.origin, bytes);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    return [Number(head.slice(9, 12)), JSON.parse(body)];
  }

  describe('repeated slashes in a path', () => {
    it.each(['//v2/book/ID', '/v2//book/ID', '/v2/book//ID', '///v2//book///ID'])(
      '%s is read as /v2/book/ID',
      async (path) => {
        const id = await make.aBook();
        const [status, body] = await send(bytesOf(`GET ${path.replace('ID', String(id))}`));
        expect([status, body]).toMatchObject([200, { id: String(id) }]);
      },
    );

    it('errors show them once', async () => {
      expect(await send(bytesOf('GET /v2//nowhere//?a=//'))).toEqual([
        404,
        { msg: 'uri_not_found', code: 1001, request: 'GET /v2/nowhere/' },
      ]);
    });

    it('remain in a query', async () => {
      const [, body] = await send(bytesOf('GET /v2//movie/search?q=a//b'));
      expect(body).toMatchObject({ query: 'a//b' });
    });
  });

  describe('filters of collections', () => {
    const filtered = async (query: string): Promise<string[]> => {
      const { status, body } = await call(`/v2/book/user/${reader}/collections?${query}`);
      expect(status).toBe(200);
      return body.collections.map(({ comment }: { comment: string }) => comment);
    };
    beforeAll(async () => {
      const times = ['2013-12-25 22:09:03', '2013-12-25 22:09:04', '2013-12-25 22:09:05'];
      await make.collections(reader, await make.books(3), (at) => ({
        comment: String(at + 1),
        rating: { value: String(at + 1) },
        updated: times[at],
      }));
    });

    it.each(['0', '6', '-1', '2.5', 'any', 'null'])('rating=%s does not filter', async (rating) => {
      expect(await filtered(`rating=${rating}`)).toEqual(['3', '2', '1']);
    });

    it.each([
      ['from=2013-12-25T22:09:04', ['3', '2']],
      ['from=2013-12-25%2022:09:05', ['3']],
      ['to=2013-12-25+22:09:03', ['1']],
      ['to=2013-12-25T22:09:04.999', ['2', '1']],
      ['from=2013-12-25t22:09:04&to=2013-12-25T14:09:04Z', ['2']],
    ])('times may omit the zone: %s', async (query, expected) => {
      expect(await filtered(query)).toEqual(expected);
    });

    it.each(['2013-12-25', 'now', '1387980544', '2013-02-29T00:00:00', '2013-12-25T24:00:00'])(
      'from=%s returns 999',
      async (from) => {
        const { status, body } = await call(`/v2/book/user/${reader}/collections?from=${from}`);
        expect([status, body.code]).toEqual([400, 999]);
      },
    );
  });

  describe('booleans in any case', () => {
    it.each([
      ['True', true],
      ['TRUE', true],
      ['False', false],
      ['false', false],
    ])('can_reply=%s is accepted', async (can_reply, expected) => {
      const note = { title: 'Sea', content: 'About the sea.', can_reply };
      const { status, body } = await call('/v2/notes', 'POST', new URLSearchParams(note));
      expect([status, body.can_reply]).toEqual([201, expected]);
    });

    it('can_reply=yes returns 999', async () => {
      const note = { title: 'Sea', content: 'About the sea.', can_reply: 'yes' };
      const { status, body } = await call('/v2/notes', 'POST', new URLSearchParams(note));
      expect([status, body.code]).toEqual([400, 999]);
    });
  });

  it('a body without Content-Type is read as a form', async () => {
    const id = await make.aBook();
    const form = 'status=read&comment=%E5%A5%BD&tags=a+b';
    const head = bytesOf(
      `POST /v2/book/${id}/collection`,
      `Authorization: Bearer ${token}`,
      `Content-Length: ${form.length}`,
    );
    const [status, body] = await send(head + form);
    expect([status, body]).toMatchObject([201, { comment: '好', tags: ['a', 'b'] }]);
  });

  describe('UTF-8 without percent-encoding', () => {
    it('is accepted in a query', async () => {
      const id = await make.aBook({ title: '围城' });
      const [status, body] = await send(bytesOf('GET /v2/book/search?q=围城'));
      expect([status, body]).toMatchObject([200, { total: 1, books: [{ id: String(id) }] }]);
    });

    it('is accepted in a path', async () => {
      expect(await send(bytesOf('GET /v2/book/围城'))).toEqual([
        404,
        { msg: 'uri_not_found', code: 1001, request: 'GET /v2/book/%e5%9b%b4%e5%9f%8e' },
      ]);
    });

    it('is accepted before a body that arrives later', async () => {
      const id = await make.aBook();
      const form = 'status=wish';
      const head = bytesOf(
        `POST /v2/book/${id}/collection?note=围城`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${form.length}`,
      );
      const received = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(harness.origin).port), '127.0.0.1');
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
        socket.on('end', () => {
          resolve(text);
        });
        socket.on('error', reject);
        socket.write(head, () => {
          setImmediate(() => socket.write(form));
        });
      });
      expect(received).toMatch(/^HTTP\/1\.1 201 /);
      expect(received).toMatch(/\r\nConnection: close\r\n/i);
    });

    it('is accepted after another request of the same connection', async () => {
      const first = bytesOf('GET /v2/rate_limit').replace('Connection: close\r\n', '');
      const received = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(harness.origin).port), '127.0.0.1');
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk) => {
          if (text === '') socket.write(bytesOf('GET /v2/movie/search?q=围城'));
          text += String(chunk);
        });
        socket.on('end', () => {
          resolve(text);
        });
        socket.on('error', reject);
        socket.write(first);
      });
      expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
      expect(received).toContain('"query":"围城"');
    });
  });

  describe('summaries end in one ellipsis', () => {
    it.each([
      ['…… after 99 characters', `${'字'.repeat(99)}……后来`, `${'字'.repeat(99)}…`],
      ['... after 98 characters', `${'字'.repeat(98)}...后来`, `${'字'.repeat(98)}…`],
      ['no ellipsis', '字'.repeat(101), '字'.repeat(100)],
    ])('of an annotation with %s', async (_, content, abstract) => {
      const form = new URLSearchParams({ content, chapter: '一' });
      const { body } = await call(`/v2/book/${await make.aBook()}/annotations`, 'POST', form);
      expect(body.abstract).toBe(abstract);
    });

    it('of a note', async () => {
      const content = `${'他走了。'.repeat(33)}后来……${'再没有人见过他'.repeat(9)}`;
      const form = new URLSearchParams({ title: '他', content });
      const { body } = await call('/v2/notes', 'POST', form);
      expect(body.summary).toBe(`${'他走了。'.repeat(33)}后来…`);
    });
  });
});

describe('times without a zone in filters of collections', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { TIME_ZONE: 'Europe/London' } });
  });
  afterAll(() => harness.close());

  it('have the zone of the service', async () => {
    const make = new Factories(harness.database);
    const { id } = await make.aUser();
    // Imported times have the zone of the service, too.
    await make.collections(id, await make.books(1), () => ({ updated: '2013-07-25 22:09:04' }));
    const found = async (query: string): Promise<number> =>
      (await harness.call(`/v2/book/user/${id}/collections?${query}`)).body.total as number;
    expect(await found('from=2013-07-25T22:09:04')).toBe(1);
    expect(await found('from=2013-07-25T22:09:05')).toBe(0);
    expect(await found('to=2013-07-25T21:09:04Z')).toBe(1);
    expect(await found('to=2013-07-25T21:09:03Z')).toBe(0);
  });
});
