import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../src/config/settings';

const ROOT = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

describe('.env.example', () => {
  const documented = () =>
    read('.env.example')
      .split('\n')
      .map((line) => /^#?\s*([A-Z][A-Z0-9_]*)=/.exec(line)?.[1])
      .filter((name) => name !== undefined);

  it('documents every setting and nothing else, each once', () => {
    expect(SETTING_NAMES.length).toBeGreaterThan(15);
    expect(documented().sort()).toEqual([...SETTING_NAMES].sort());
  });
});

describe('package-lock.json', () => {
  it('contains no addresses of a registry', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"\s*:\s*"[a-z+]+:/);
  });

  it('has a checksum for every package', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const unchecked = Object.entries(packages).filter(
      ([name, { integrity, link }]) => name.includes('node_modules/') && !link && !integrity,
    );
    expect(unchecked.map(([name]) => name)).toEqual([]);
  });
});

describe('deploy/systemd', () => {
  const units = readdirSync(join(ROOT, 'deploy/systemd')).map((name) => `deploy/systemd/${name}`);

  it('repeats starts that fail without a limit, for example while PostgreSQL is down', () => {
    const restarts = units.map((name) => {
      const [unit = '', service = ''] = read(name).split(/^\[(?:Service|Install)\]$/m);
      const isRepeated = /^Restart=on-failure$/m.test(service) && /^RestartSec=5$/m.test(service);
      return [name, /^StartLimitIntervalSec=0$/m.test(unit), isRepeated];
    });
    expect(units.length).toBeGreaterThan(1);
    expect(restarts).toEqual(units.map((name) => [name, true, true]));
  });
});

describe('sources', () => {
  const MARKS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\\b`);
  const files = ['src', 'migrations', 'test', 'clients/typescript/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );

  it('contain no notes of unfinished work', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((name) => MARKS.test(read(name)))).toEqual([]);
  });

  it('contain no skipped and no exclusive test', () => {
    const loose = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/;
    const specs = files.filter((name) => name.endsWith('.spec.ts'));
    expect(specs.filter((name) => name !== SELF && loose.test(read(name)))).toEqual([]);
  });
});

/** This file names what it looks for. */
const SELF = join('test', 'contract', 'repository.spec.ts');
