import { type Server } from 'node:http';

/** A server for the example, which gives the page its configuration. */
export function exampleServer(
  config: () => { service: string; clientId: string },
  client?: string,
): Server;
