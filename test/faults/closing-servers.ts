import { once } from 'node:events';
import { createServer } from 'node:http';

/** Servers that close the connection of each POST instead of responding. */
export interface ClosingServers {
  /** Number of POST requests that arrived with this path. */
  arrivals(path: string): number;
  /** Number of servers that responded to other requests since the last call. */
  takeResponding(): number;
  close(): Promise<void>;
}

/** Starts a server on each port. They respond to other requests with 200. */
export async function startClosingServers(ports: readonly number[]): Promise<ClosingServers> {
  const posts: string[] = [];
  const responding = new Set<number>();
  const servers = ports.map((port) =>
    createServer((request, response) => {
      request.resume().once('end', () => {
        if (request.method !== 'POST') {
          responding.add(port);
          response.end();
          return;
        }
        posts.push(request.url ?? '');
        request.socket.destroy();
      });
    }).listen(port, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    arrivals: (path) => posts.filter((one) => one === path).length,
    takeResponding: () => {
      const { size } = responding;
      responding.clear();
      return size;
    },
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => once(server.close(), 'close')));
    },
  };
}
