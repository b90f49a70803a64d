import { type IncomingMessage, type ServerResponse } from 'node:http';
import { JSON_TYPE } from './rendered-body';

/** Path of the liveness probe. */
const PATH = '/healthz';
const METHODS: readonly unknown[] = ['GET', 'HEAD'];
const BODY = JSON.stringify({ status: 'ok' });
const HEADERS = {
  'Content-Type': JSON_TYPE,
  'Content-Length': Buffer.byteLength(BODY),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
};

/** Whether a request is GET or HEAD of `/healthz`. Other spellings reach the route. */
export const isLivenessProbe = ({ url, method }: IncomingMessage): boolean =>
  url === PATH && METHODS.includes(method);

/**
 * Responds to a liveness probe before routing, access checks and limits, so that an overloaded
 * process does not count as dead. The request is neither logged nor measured.
 */
export function respondLiveness(response: ServerResponse): void {
  // Node omits the body of a response to HEAD.
  response.writeHead(200, HEADERS).end(BODY);
}
