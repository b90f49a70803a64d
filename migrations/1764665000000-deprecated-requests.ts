import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Requests of applications to deprecated operations, by day. */
export class DeprecatedRequests1764665000000 implements MigrationInterface {
  name = 'DeprecatedRequests1764665000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE deprecated_requests (
      application_id bigint NOT NULL
        CONSTRAINT deprecated_requests_application REFERENCES applications ON DELETE CASCADE,
      operation text NOT NULL,
      day date NOT NULL,
      requests integer NOT NULL,
      PRIMARY KEY (application_id, operation, day)
    )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE deprecated_requests');
  }
}
