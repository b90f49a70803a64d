import { join } from 'node:path';
import { defineProxySuite } from '../proxied-suite';

/** Folders that nginx otherwise has below /var/lib. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

defineProxySuite(
  {
    config: 'nginx.conf',
    replacements: ({ folder, http, https, inner }) => ({
      // The test need not be root's, nor have its number of descriptors.
      'worker_rlimit_nofile 65000;\n': '',
      'worker_connections 30000;': 'worker_connections 500;',
      'user www-data;\n': '',
      'http {\n': `http {\n${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}\n`,
      '/run/nginx.pid': join(folder, 'nginx.pid'),
      '/var/log/nginx/error.log': join(folder, 'error.log'),
      '/var/log/nginx/access.log': join(folder, 'access.log'),
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen 443;': `listen 127.0.0.1:${https};`,
      '127.0.0.1:8080': `127.0.0.1:${inner[0]}`,
      '127.0.0.1:8443': `127.0.0.1:${inner[1]}`,
      '/etc/nginx/commonplace.pem': join(folder, 'cert.pem'),
      '/etc/nginx/commonplace.key': join(folder, 'key.pem'),
    }),
    check: (config) => ['nginx', '-t', '-q', '-c', config, '-e', 'stderr'],
    run: (config) => ['nginx', '-c', config, '-e', 'stderr', '-g', 'daemon off;'],
  },
  1,
);
