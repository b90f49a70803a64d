import { until } from '../e2e/process/programs';
import { atScale } from '../figures';
import { type Proxied, type ProxyProgram } from './proxied';
import { agentAt, send, type Outcome } from './proxied-load';
import { sendShortenedBodies } from './shortened-bodies';
import { requestUntilRefused } from './rapid-requests';
import { openSilentCrowd } from './silent-crowd';
import { openSlowStreams } from './slow-streams';

/** Connections that send no request: more than a proxy has here for all clients. */
const SILENT = 1200;
/** Requests with incomplete bodies of each stream. */
const ROUNDS = atScale(200, 40);

/** What the tests share with the suite of their proxy. */
interface Shared {
  readonly proxied: Proxied;
  readonly book: number;
  readonly token: string;
  /** Requests a path of the proxy. */
  readonly get: (path: string) => Promise<Outcome>;
}

/** Declares the tests of crowds: many connections, streams or incomplete bodies of one address. */
export function defineCrowdTests(program: ProxyProgram, shared: () => Shared): void {
  it('an address has at most 100 requests at once, also over HTTP/2', async () => {
    const { proxied, book, token, get } = shared();
    const path = `/v2/book/${book}/collection`;
    const streams = { connections: 2, each: 75 };
    const slow = openSlowStreams(proxied.places.https, path, token, streams);
    const neighbour = agentAt('127.0.0.2');
    try {
      // The others wait for the rest of their bodies.
      await until(() => Promise.resolve(slow.refused() === 50));
      const { status } = await send(neighbour, proxied.places.https, `/v2/book/${book}`);
      expect(status).toBe(200);
      expect(slow.refused()).toBe(50);
    } finally {
      neighbour.destroy();
      slow.close();
    }
    await until(async () => (await get('/healthz').catch(() => undefined))?.status === 200);
  });

  it('an address has a maximum rate of requests', async () => {
    const { proxied, book } = shared();
    const { https } = proxied.places;
    const neighbour = agentAt('127.0.0.2');
    try {
      // Short bursts are served.
      expect(await requestUntilRefused(https, '/v2/nothing')).toBeGreaterThan(200);
      expect((await send(neighbour, https, `/v2/book/${book}`)).status).toBe(200);
    } finally {
      neighbour.destroy();
    }
  });

  it('an address has at most 100 connections, also if they never send a request', async () => {
    const { proxied, book } = shared();
    const { places } = proxied;
    const crowd = openSilentCrowd(places, '127.0.0.3', SILENT);
    const neighbour = agentAt('127.0.0.2');
    try {
      await until(() => Promise.resolve(crowd.open() <= 100));
      const { status } = await send(neighbour, places.https, `/v2/book/${book}`);
      expect(status).toBe(200);
    } finally {
      neighbour.destroy();
      crowd.close();
    }
  });

  it('requests with incomplete bodies get their own responses, and their bodies are no requests', async () => {
    const { proxied, book, get } = shared();
    const pathOf = (at: number): string => `/v2/book/${book}/annotations/${at}`;
    const responses = await sendShortenedBodies(proxied.places.https, pathOf, ROUNDS);
    const requestOf = (text: string) => (JSON.parse(text) as { request: string }).request;
    // nginx itself rejects some of them, with an empty member `request`.
    const refused = program.hasOwnRefusals === true ? [] : [''];
    const wrong = responses.filter(
      ({ path, text }) => ![`POST ${path}`, ...refused].includes(requestOf(text)),
    );
    expect(wrong).toEqual([]);
    expect(responses.length).toBeGreaterThan(ROUNDS);
    expect((await get(`/v2/book/${book}`)).status).toBe(200);
  });
}
