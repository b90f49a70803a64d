// Reads the pages, feeds and site maps of a server, and checks them; see `lint-pages`. It writes the
// structured data to `structured-data.ts`, whose types the compiler checks afterwards.
import { createRequire } from 'node:module';
import { URL } from 'node:url';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { parseFeed } from 'feedsmith';
import { parseSitemapIndex } from 'sitemap';
import { validateXML } from 'xmllint-wasm';

const { fetch } = globalThis;
const [address] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const sitemapSchema = readFileSync(
  join(dirname(require.resolve('sitemap/package.json')), 'schema', 'sitemap.xsd'),
  'utf8',
);

const faults = [];
const fault = (path, text) => faults.push(`${path}: ${text}`);

async function get(path) {
  const response = await fetch(new URL(path, address), { headers: { accept: 'text/html' } });
  if (response.status !== 200) fault(path, `status ${response.status}`);
  return response.text();
}

const unescapeXml = (text) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name],
  );
const pathOf = (url) => {
  const { pathname, search } = new URL(unescapeXml(url));
  return pathname + search;
};

async function readSiteMaps() {
  const index = await get('/sitemap.xml');
  const maps = await parseSitemapIndex(Readable.from([index]));
  const pages = [];
  for (const { url } of maps) {
    const path = pathOf(url);
    const xml = await get(path);
    const { valid, errors } = await validateXML({ xml, schema: sitemapSchema });
    if (!valid) for (const { message } of errors) fault(path, message);
    pages.push(...[...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => pathOf(url)));
  }
  console.log(`${maps.length} site maps with ${pages.length} addresses`);
  return pages;
}

async function readFeed(path) {
  const xml = await get(path);
  try {
    const { format, feed } = parseFeed(xml);
    if (format !== 'atom') fault(path, `the feed is ${format}`);
    if (
      !feed.id ||
      !feed.title ||
      !feed.updated ||
      !feed.links?.some(({ rel }) => rel === 'self')
    ) {
      fault(path, 'the feed lacks id, title, updated or its own address');
    }
    for (const entry of feed.entries ?? []) {
      const dates = [entry.updated, entry.published];
      if (!entry.id || !entry.title || !entry.links?.length)
        fault(path, `entry ${entry.id} is incomplete`);
      if (dates.some((date) => Number.isNaN(new Date(date).getTime())))
        fault(path, `entry ${entry.id} has no date`);
      if (!(entry.authors?.length || feed.authors?.length))
        fault(path, `entry ${entry.id} has no author`);
    }
  } catch (error) {
    fault(path, error.message);
  }
}

/** The types of a value and its members: values of the same shape are compiled once. */
const shapeOf = (value) =>
  Array.isArray(value)
    ? [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].sort()
    : value !== null && typeof value === 'object'
      ? Object.entries(value).map(([key, member]) =>
          key === '@type' ? member : [key, shapeOf(member)],
        )
      : typeof value;

const shapes = new Map();
const feeds = new Set();
const others = new Set();
const validator = new Validator();

async function checkPage(path) {
  const text = await get(path);
  for (const [, json] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
    const data = JSON.parse(json);
    shapes.set(JSON.stringify(shapeOf(data)), { path, data });
  }
  for (const [, url] of text.matchAll(/type="application\/atom\+xml"[^>]*?href="([^"]*)"/gs))
    feeds.add(pathOf(url));
  for (const [, path] of text.matchAll(
    /<a href="(\/(?:review|note|book\/annotation|movie\/review|movie\/photo)\/\d+\/)"/g,
  )) {
    others.add(path);
  }
  const extracted = new WebAutoExtractor({ addLocation: true }).parse(text);
  for (const { issueMessage, severity, path: at } of await validator.validate(extracted)) {
    // The photographers and licences of pictures are unknown, and schema.org does not require them.
    if (severity === 'ERROR' && !issueMessage.includes('"license"'))
      fault(path, `${issueMessage} at ${at.map(({ type }) => type).join('.')}`);
  }
}

async function inTurns(paths, work) {
  const queue = [...paths];
  const next = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await work(path);
  };
  await Promise.all([1, 2, 3, 4].map(next));
}

const pages = await readSiteMaps();
await inTurns(pages, checkPage);
const texts = [...others].filter((path) => !pages.includes(path));
await inTurns(texts, checkPage);
await inTurns(feeds, readFeed);
console.log(
  `${pages.length + texts.length} pages, ${feeds.size} feeds, ${shapes.size} shapes of structured data`,
);

// `query-input` is an annotation of actions, which the types of schema.org do not have.
const typed = (key, value) => (key === 'query-input' ? undefined : value);
const declarations = [...shapes.values()].map(
  ({ path, data }, at) =>
    `// ${path}\nexport const data${at}: WithContext<${data['@type']}> = ${JSON.stringify(data, typed, 1)};`,
);
const types = new Set([...shapes.values()].map(({ data }) => data['@type']));
const imports = `import type { WithContext, ${[...types].join(', ')} } from 'schema-dts';`;
writeFileSync(
  new URL('structured-data.ts', import.meta.url),
  [imports, ...declarations].join('\n'),
);

for (const text of faults) console.error(text);
if (faults.length > 0) process.exitCode = 1;
