import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Changes of an application make servers forget all callers only if they change what callers have:
 * developers edit names and descriptions as often as they like.
 */
export class CallerChanges1764734000000 implements MigrationInterface {
  name = 'CallerChanges1764734000000';

  async up(db: QueryRunner): Promise<void> {
    const columns = [
      'client_id',
      'level',
      'scopes',
      'limit_per_hour',
      'blocked_at',
      'blocked_reason',
      'blocked_contact',
      'test_of',
    ];
    const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
    await db.query('DROP TRIGGER applications_changed ON applications');
    await db.query(`CREATE TRIGGER applications_changed AFTER UPDATE ON applications FOR EACH ROW
      WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')}))
      EXECUTE FUNCTION notify_callers_changed()`);
    await db.query(`CREATE TRIGGER applications_gone AFTER DELETE ON applications
      FOR EACH STATEMENT EXECUTE FUNCTION notify_callers_changed()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER applications_gone ON applications');
    await db.query('DROP TRIGGER applications_changed ON applications');
    await db.query(`CREATE TRIGGER applications_changed AFTER UPDATE OR DELETE ON applications
      FOR EACH STATEMENT EXECUTE FUNCTION notify_callers_changed()`);
  }
}
