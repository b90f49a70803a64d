import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Only revocations that revoke a grant make servers forget all callers: anybody may repeat a
 * revocation, or present a used refresh token, as often as they like.
 */
export class GrantChanges1764759000000 implements MigrationInterface {
  name = 'GrantChanges1764759000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER grants_changed ON grants');
    await db.query(`CREATE TRIGGER grants_changed AFTER UPDATE OF revoked_at ON grants FOR EACH ROW
      WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at)
      EXECUTE FUNCTION notify_callers_changed()`);
    await db.query(`CREATE TRIGGER grants_gone AFTER DELETE ON grants FOR EACH ROW
      EXECUTE FUNCTION notify_callers_changed()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER grants_gone ON grants');
    await db.query('DROP TRIGGER grants_changed ON grants');
    await db.query(`CREATE TRIGGER grants_changed AFTER UPDATE OF revoked_at OR DELETE ON grants
      FOR EACH STATEMENT EXECUTE FUNCTION notify_callers_changed()`);
  }
}
