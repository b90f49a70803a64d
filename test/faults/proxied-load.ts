import { EventEmitter, once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { randomUUID } from 'node:crypto';

/** A response; its status is 0 and its body the reason where there is none. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The connections of clients with an address; proxies limit what one address sends. */
export const agentAt = (localAddress: string): Agent =>
  new Agent({ keepAlive: true, rejectUnauthorized: false, localAddress });

/** Sends a request over HTTPS, on a connection of the agent; the certificate is not checked. */
export async function send(
  agent: Agent,
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Outcome> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: {
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    },
    agent,
  });
  sent.end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return { status: response.statusCode ?? 0, body: text, headers: response.headers };
  } catch (error) {
    return { status: 0, body: String(error), headers: {} };
  }
}

/** Clients that read and write without a pause, through a proxy. */
export class ProxiedLoad {
  /** Texts of the annotations that were acknowledged. */
  readonly acknowledged: string[] = [];
  /** Requests, with or without a response. */
  requests = 0;
  /** Failures, a line each. */
  readonly failures: string[] = [];
  private readonly responses = new EventEmitter();
  private running = true;
  private readonly agents: readonly Agent[];
  private readonly loops: Promise<void>[];

  constructor(
    private readonly port: number,
    private readonly book: number,
    private readonly token: string,
    clients: number,
  ) {
    this.agents = Array.from({ length: clients }, (_, client) => agentAt(`127.0.1.${client + 1}`));
    this.loops = this.agents.map((agent, client) => this.client(agent, client));
  }

  private async client(agent: Agent, client: number): Promise<void> {
    for (let at = 0; this.running; at += 1) {
      if (at % 2 === 0) await this.read(agent);
      else await this.write(agent, `${client}-${at} written while servers restart`);
    }
  }

  private async read(agent: Agent): Promise<void> {
    this.count('GET', 200, await send(agent, this.port, `/v2/book/${this.book}`));
  }

  private async write(agent: Agent, content: string): Promise<void> {
    const outcome = await send(agent, this.port, `/v2/book/${this.book}/annotations`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ content, page: 1 }),
    });
    if (this.count('POST', 201, outcome)) this.acknowledged.push(content);
  }

  private count(method: string, expected: number, { status, body }: Outcome): boolean {
    this.requests += 1;
    this.responses.emit('response');
    if (status === expected) return true;
    this.failures.push(`${method} ${status} ${body.slice(0, 200)}`);
    return false;
  }

  /** Waits for further responses. */
  async more(count: number): Promise<void> {
    const wanted = this.requests + count;
    while (this.requests < wanted) await once(this.responses, 'response');
  }

  /** Ends when every client has its last response. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
    for (const agent of this.agents) agent.destroy();
  }
}
