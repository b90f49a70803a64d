import { atScale } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

/** Connections of each kind. */
const CONNECTIONS = atScale(300, 10);

/** At full scale the settings have their defaults. */
const settings = atScale<Record<string, string>>(
  {},
  { HEADER_SECONDS: '1', REQUEST_SECONDS: '3', MIN_BODY_RATE_SECONDS: '1' },
);

let target: Target;
let attacker: Attacker;
beforeAll(async () => {
  target = await Target.start(settings);
});
beforeEach(() => {
  attacker = new Attacker(target.port);
});
afterEach(() => {
  attacker.leave();
});
afterAll(() => target.close());

const HEAD = 'GET /v2/book/1 HTTP/1.1\r\nHost: test\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const POST = `POST /service/auth2/token HTTP/1.1\r\nHost: test\r\n${FORM}Content-Length: 5000\r\n\r\n`;

/** Bytes that an attacker sends over each connection, and whether further bytes follow slowly. */
const KINDS: readonly (readonly [name: string, bytes: string, drips: boolean])[] = [
  ['nothing', '', false],
  ['half of the headers', `${HEAD}X-Part: `, false],
  ['headers without end', `${HEAD}X-Part: `, true],
  ['a body that never comes', POST, false],
  ['a body byte by byte', POST, true],
  ['what is no request', 'NONSENSE\r\n\r\n', true],
  ['a body that nobody wants', POST.replace('/service/auth2/token', '/v2/nothing'), true],
];

it(`connections that send ${KINDS.map(([name]) => name).join(', ')} are closed`, async () => {
  const name = `${CONNECTIONS * KINDS.length} silent connections`;
  await target.attack(name, async () => {
    for (const [, bytes, drips] of KINDS) {
      const sockets = await attacker.openMany(CONNECTIONS, bytes);
      if (drips) attacker.drip(sockets);
    }
  });
});
