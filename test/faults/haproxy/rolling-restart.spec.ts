import { join } from 'node:path';
import { defineProxySuite } from '../proxied-suite';

defineProxySuite(
  {
    config: 'haproxy.cfg',
    hasOwnRefusals: true,
    replacements: ({ folder, http, https }) => ({
      // The test need not be root's, nor have its number of descriptors.
      '    maxconn 4000\n': '    maxconn 200\n',
      '    user haproxy\n    group haproxy\n': '',
      'bind :80\n': `bind 127.0.0.1:${http}\n`,
      'bind :443 ssl': `bind 127.0.0.1:${https} ssl`,
      '/etc/haproxy/commonplace.pem': join(folder, 'both.pem'),
    }),
    check: (config) => ['haproxy', '-c', '-f', config],
    run: (config) => ['haproxy', '-db', '-f', config],
  },
  5,
);
