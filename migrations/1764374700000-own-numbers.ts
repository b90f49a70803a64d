import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the service numbers itself stays where a number of JavaScript is one thing alone. */
export class OwnNumbers1764374700000 implements MigrationInterface {
  name = 'OwnNumbers1764374700000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(BOUND);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(UNBOUND);
  }
}

const eachSequence = (work: string): string => `
DO $$
DECLARE
  numbered record;
BEGIN
  FOR numbered IN
    SELECT format('%I', table_name) AS name, format('%I', column_name) AS key,
      pg_get_serial_sequence(format('%I', table_name), column_name) AS sequence
    FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'
  LOOP
    ${work}
  END LOOP;
END $$`;

// A record with a huge id may have moved a sequence there: it goes back to where ids of the
// service's own are, below 2^52.
const BOUND = eachSequence(`
    EXECUTE format(
      'SELECT setval(%L, greatest((SELECT max(%s) FROM %s WHERE %s < 4503599627370496), 1))
       FROM %s WHERE last_value >= 4503599627370496',
      numbered.sequence, numbered.key, numbered.name, numbered.key, numbered.sequence);
    EXECUTE format('ALTER SEQUENCE %s MAXVALUE 9007199254740991', numbered.sequence);`);

const UNBOUND = eachSequence(`
    EXECUTE format('ALTER SEQUENCE %s NO MAXVALUE', numbered.sequence);`);
