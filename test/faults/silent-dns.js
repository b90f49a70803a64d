// Resolves names below `.test` to this machine, and does not respond while a file exists.
const dns = require('node:dns');
const { existsSync } = require('node:fs');

const { lookup } = dns;
dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) lookup(name, options, callback);
  else if (!existsSync(process.env.SILENT_DNS)) lookup('127.0.0.1', options, callback);
};
