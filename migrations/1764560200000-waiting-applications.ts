import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Applications that wait for a decision are found without looking at all that was ever decided. */
export class WaitingApplications1764560200000 implements MigrationInterface {
  name = 'WaitingApplications1764560200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX application_decisions_asked');
    await db.query(SUPERSEDED);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX application_decisions_waiting');
    await db.query('DROP TRIGGER application_decisions_supersede ON application_decisions');
    await db.query('DROP FUNCTION supersede_decisions()');
    await db.query('ALTER TABLE application_decisions DROP COLUMN superseded');
    await db.query(`CREATE INDEX application_decisions_asked
      ON application_decisions (application_id, subject, id) WHERE state = 'asked'`);
  }
}

// Who decides has locked the application, so that of two decisions one sees the other.
const SUPERSEDED = `
ALTER TABLE application_decisions ADD COLUMN superseded boolean NOT NULL DEFAULT false;
UPDATE application_decisions d SET superseded = true
WHERE EXISTS (SELECT 1 FROM application_decisions e WHERE e.application_id = d.application_id
  AND e.subject = d.subject AND e.id > d.id);
CREATE FUNCTION supersede_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE application_decisions SET superseded = true
  WHERE application_id = NEW.application_id AND subject = NEW.subject AND id < NEW.id
    AND NOT superseded;
  RETURN NULL;
END $$;
CREATE TRIGGER application_decisions_supersede AFTER INSERT ON application_decisions
  FOR EACH ROW EXECUTE FUNCTION supersede_decisions();
CREATE INDEX application_decisions_waiting ON application_decisions (application_id)
  WHERE state = 'asked' AND NOT superseded;
`;
