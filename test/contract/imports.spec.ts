import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const SRC = join(__dirname, '../../src');

/** Layers from the bottom up: a folder imports its own layer's siblings and those below only. */
const LAYERS: readonly (readonly string[])[] = [
  ['workers'],
  ['config'],
  ['process'],
  ['api'],
  ['database'],
  [
    'web',
    'oauth',
    'limits',
    'consistency',
    'metrics',
    'audit',
    'users',
    'cities',
    'images',
    'text',
    'idempotency',
    'moderation',
    'merges',
    'accounts',
    'consent',
    'developers',
  ],
  ['books', 'notes', 'movies', 'events'],
];
const AREAS = LAYERS.at(-1) ?? [];
/** Folders, and every file at the top, that may import all the others. */
const ABOVE = [
  'admin',
  'console',
  'backup',
  'import-export',
  'sample',
  'pages',
  'docs',
  'site',
  'cli',
  'server',
];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The folder of a file, or the file itself when it lies at the top. */
const placeOf = (file: string): string => {
  const parts = relative(SRC, file).split(sep);
  return parts.length > 1 ? String(parts[0]) : String(parts[0]).replace(/\.ts$/, '');
};

// `import`, `import type`, `export ... from` and import types alike: types count too.
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\(\s*)['"](\.[^'"]+)['"]/g;

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((name) => join(SRC, name));

const IMPORTS: readonly Import[] = FILES.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(SPECIFIER)]
    .map(([, specifier]) => join(dirname(file), String(specifier)))
    .filter((target) => target.startsWith(SRC + sep))
    .map((target) => ({ file: relative(SRC, file), from: placeOf(file), to: placeOf(target) }))
    .filter(({ from, to }) => from !== to),
);

const layerOf = (place: string): number => {
  const layer = LAYERS.findIndex((folders) => folders.includes(place));
  return layer < 0 ? LAYERS.length : layer;
};

describe('imports', () => {
  it('are found', () => {
    expect(FILES.length).toBeGreaterThan(50);
    expect(IMPORTS).toContainEqual({ file: 'app.module.ts', from: 'app.module', to: 'books' });
    expect(IMPORTS).toContainEqual({ file: 'text/markup.ts', from: 'text', to: 'api' });
  });

  it('are in folders that have a place in the order', () => {
    const folders = FILES.filter((file) => dirname(file) !== SRC).map(placeOf);
    const layered = new Set([...LAYERS.flat(), ...ABOVE]);
    expect([...new Set(folders)].filter((place) => !layered.has(place))).toEqual([]);
  });

  it('go in one direction: area, shared, database, api, process, config', () => {
    expect(IMPORTS.filter(({ from, to }) => layerOf(from) < layerOf(to))).toEqual([]);
  });

  it('never join two areas', () => {
    const joining = IMPORTS.filter(({ from, to }) => AREAS.includes(from) && AREAS.includes(to));
    expect(joining).toEqual([]);
  });

  it('have no circles of folders', () => {
    const next = new Map<string, Set<string>>();
    for (const { from, to } of IMPORTS) next.set(from, (next.get(from) ?? new Set()).add(to));
    const circles: string[] = [];
    const walk = (place: string, path: readonly string[]): void => {
      if (path.includes(place)) {
        circles.push([...path.slice(path.indexOf(place)), place].join(' -> '));
        return;
      }
      for (const target of next.get(place) ?? []) walk(target, [...path, place]);
    };
    for (const place of next.keys()) walk(place, []);
    expect([...new Set(circles)]).toEqual([]);
  });
});
