import { type IncomingMessage, type ServerResponse } from 'node:http';
import { JSON_TYPE } from './request-context';

/** The path by which operators find out whether the process serves. */
const PATH = '/healthz';
const BODY = JSON.stringify({ status: 'ok' });
const HEADERS = {
  'Content-Type': JSON_TYPE,
  'Content-Length': Buffer.byteLength(BODY),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
};

/**
 * Answers `GET /healthz` before anything else is done with a request, so that a process with more to
 * do than it can is not taken for dead. It is neither logged nor measured. Other spellings of the
 * request reach the route of that name.
 *
 * @returns whether the request was answered
 */
export function answerLiveness(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== PATH || request.method !== 'GET') return false;
  response.writeHead(200, HEADERS).end(BODY);
  return true;
}
