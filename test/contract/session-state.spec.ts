import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../../src');

/** Files that keep state on a session of PostgreSQL, on connections to DATABASE_DIRECT_URL. */
const ON_DIRECT_CONNECTIONS = [
  // The embedded server is never behind a pooler.
  'backup/base-backup.ts',
  'database/migrate.ts',
  'database/notifications.ts',
  'database/session.ts',
  'import-export/jobs/job-connection.ts',
  'import-export/open-library/staging.ts',
  'import-export/engine/crash-check.ts',
];

/** Locks and settings of a session, temporary tables, LISTEN, cursors that outlive a transaction. */
const SESSION_STATE = new RegExp(
  [
    String.raw`pg_(try_)?advisory_lock(_shared)?\(`,
    String.raw`set_config\([^)]*,\s*false\)`,
    String.raw`['"\`]SET (?!LOCAL |NULL)\w`,
    String.raw`CREATE TEMP(ORARY)? `,
    String.raw`\bLISTEN "`,
    String.raw`WITH HOLD`,
    String.raw`['"\`]PREPARE `,
  ].join('|'),
);

it('only files with direct connections use session state', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.filter((name) => SESSION_STATE.test(readFileSync(join(SRC, name), 'utf8')));
  const others = found.filter((name) => !ON_DIRECT_CONNECTIONS.includes(name));
  expect(found.length).toBeGreaterThan(3);
  expect(others).toEqual([]);
});
