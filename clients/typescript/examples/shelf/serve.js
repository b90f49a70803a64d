// Serves the example: SERVICE=http://localhost:3000 CLIENT_ID=... node serve.js
const { createServer } = require('node:http');
const { readFile } = require('node:fs/promises');
const { dirname, extname, join, normalize } = require('node:path');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

/**
 * A server for the example.
 * @param {() => { service: string, clientId: string }} config
 * @param {string} client folder of the built client
 */
exports.exampleServer = (config, client = join(__dirname, '../../dist')) => {
  /** Folders by the first segment of a path. */
  const folders = {
    'commonplace-client': client,
    'openapi-fetch': dirname(require.resolve('openapi-fetch')),
  };
  return createServer(async (request, response) => {
    try {
      const path = normalize(new URL(request.url, 'http://example').pathname);
      const [, first, ...rest] = path.split('/');
      if (path === '/config.json') {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(config()));
        return;
      }
      const file = Object.hasOwn(folders, first)
        ? join(folders[first], ...rest)
        : join(__dirname, path === '/' ? 'index.html' : path);
      const bytes = await readFile(file);
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
};

if (require.main === module) {
  const { SERVICE = 'http://localhost:3000', CLIENT_ID = '', PORT = '8080' } = process.env;
  const server = exports.exampleServer(() => ({ service: SERVICE, clientId: CLIENT_ID }));
  server.listen(Number(PORT), () => console.log(`http://localhost:${PORT}/`));
}
