import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Logs the sequences of unlogged tables. PostgreSQL 15 and newer create them unlogged, and
 * do not flush their first page on a standby: after a promotion before its next restartpoint, and after a
 * restore to a point in time, every use of them fails ("bad magic number in sequence").
 */
export class LoggedSequences1764743000000 implements MigrationInterface {
  name = 'LoggedSequences1764743000000';

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(recreateSequenceSql(table));
      await db.query(setPersistenceSql(table, 'LOGGED'));
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(setPersistenceSql(table, 'UNLOGGED'));
  }
}

const TABLES = [
  'content_changes',
  'book_search_changes',
  'subject_search_changes',
  'book_tags_changes',
  'subject_tags_changes',
] as const;

// A damaged sequence can only be replaced. The lock of the table keeps writers out.
const recreateSequenceSql = (table: string): string => `
ALTER TABLE ${table} ALTER COLUMN id DROP IDENTITY;
ALTER TABLE ${table} ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval('${table}_id_seq', max(id)) FROM ${table};`;

// Older servers log all sequences.
const setPersistenceSql = (table: string, persistence: 'LOGGED' | 'UNLOGGED'): string => `
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 150000 THEN
    ALTER SEQUENCE ${table}_id_seq SET ${persistence};
  END IF;
END $$;`;
