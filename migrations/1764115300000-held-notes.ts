import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Notes and replies to them can be held back, as texts about books can. */
export class HeldNotes1764115300000 implements MigrationInterface {
  name = 'HeldNotes1764115300000';

  async up(db: QueryRunner): Promise<void> {
    for (const [table, kind] of TABLES) {
      await db.query(`ALTER TABLE ${table} ADD COLUMN held boolean NOT NULL DEFAULT false`);
      await db.query(`CREATE TRIGGER ${table}_held_gone AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION forget_held('${kind}')`);
    }
    // Who wrote a held reply finds it in the count, and nobody else does.
    await db.query('CREATE INDEX note_replies_held ON note_replies (note_id, user_id) WHERE held');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX note_replies_held');
    for (const [table] of TABLES) {
      await db.query(`DROP TRIGGER ${table}_held_gone ON ${table}`);
      await db.query(`ALTER TABLE ${table} DROP COLUMN held`);
    }
  }
}

/** Tables whose rows can be held back, and what a row is called. */
const TABLES = [
  ['notes', 'note'],
  ['note_replies', 'note_reply'],
] as const;
