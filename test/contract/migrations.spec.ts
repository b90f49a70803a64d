import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/database/migrations';

const FOLDER = join(__dirname, '../../migrations');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));

const digest = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, name)))
    .digest('hex');

/**
 * Databases have applied landed migrations. An edit would make their schemas differ from those of
 * new databases. `migrations/SHA256SUMS` freezes them. A new migration adds its line; a line never
 * changes.
 */
describe('migrations', () => {
  it('are unchanged since they landed: SHA256SUMS has each', () => {
    const lines = files.map((name) => `${digest(name)}  ${name}`);
    expect(readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8').trim().split('\n')).toEqual(lines);
  });

  it('are all listed, in order of their timestamps', () => {
    const classes = files.map((name) => {
      const [timestamp = '', ...words] = name.replace(/\.ts$/, '').split('-');
      const named = words.map((word) => word[0]?.toUpperCase() + word.slice(1));
      return `${named.join('')}${timestamp}`;
    });
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(classes);
    expect(MIGRATIONS.map((migration) => new migration().name)).toEqual(classes);
  });
});
