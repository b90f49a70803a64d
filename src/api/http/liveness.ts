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

/**
 * Responds to GET and HEAD of `/healthz` before any other processing, so that an overloaded process
 * does not count as dead. The request is neither logged nor measured. Other spellings reach the
 * route.
 *
 * @returns whether it has sent the response
 */
export function respondLiveness(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== PATH || !METHODS.includes(request.method)) return false;
  // Node omits the body of a response to HEAD.
  response.writeHead(200, HEADERS).end(BODY);
  return true;
}
