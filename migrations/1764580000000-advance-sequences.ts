import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Imports advance sequences without a lock that lasts until their transaction ends. */
export class AdvanceSequences1764580000000 implements MigrationInterface {
  name = 'AdvanceSequences1764580000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ADVANCE_SEQUENCE);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION advance_sequence(regclass, bigint)');
  }
}

// setval() is not transactional, so the lock is only needed between the comparison and the change.
// A session lock outlives a failed transaction, so every error releases it.
const ADVANCE_SEQUENCE = `
CREATE FUNCTION advance_sequence(sequence regclass, id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_lock(sequence::oid::bigint);
  BEGIN
    EXECUTE format('SELECT setval(%L, $1) FROM %s
      WHERE last_value < $1 OR (last_value = $1 AND NOT is_called)', sequence, sequence) USING id;
  EXCEPTION WHEN OTHERS OR query_canceled THEN
    PERFORM pg_advisory_unlock(sequence::oid::bigint);
    RAISE;
  END;
  PERFORM pg_advisory_unlock(sequence::oid::bigint);
END $$;
`;
