import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Requests by hour and operation; requests of each application by day and operation; and the
 * latest failed requests of each application.
 */
export class RequestStatistics1764720000000 implements MigrationInterface {
  name = 'RequestStatistics1764720000000';

  async up(db: QueryRunner): Promise<void> {
    // Rows are updated every few seconds: free space keeps their new versions in the same page.
    await db.query(`CREATE TABLE request_statistics (
      hour timestamptz NOT NULL,
      operation text NOT NULL,
      status smallint NOT NULL,
      refused_by text NOT NULL,
      requests bigint NOT NULL,
      milliseconds float8 NOT NULL,
      max_milliseconds float8 NOT NULL,
      CONSTRAINT request_statistics_once PRIMARY KEY (hour, operation, status, refused_by)
    ) WITH (fillfactor = 70)`);
    await db.query(`CREATE TABLE application_requests (
      application_id bigint NOT NULL
        CONSTRAINT application_requests_application REFERENCES applications ON DELETE CASCADE,
      day date NOT NULL,
      operation text NOT NULL,
      status smallint NOT NULL,
      refused_by text NOT NULL,
      requests bigint NOT NULL,
      CONSTRAINT application_requests_once
        PRIMARY KEY (application_id, day, operation, status, refused_by)
    ) WITH (fillfactor = 70)`);
    await db.query('CREATE INDEX application_requests_by_day ON application_requests (day)');
    await db.query(`CREATE TABLE application_failures (
      id bigint GENERATED ALWAYS AS IDENTITY
        CONSTRAINT application_failures_id PRIMARY KEY,
      application_id bigint NOT NULL
        CONSTRAINT application_failures_application REFERENCES applications ON DELETE CASCADE,
      failed_at timestamptz NOT NULL,
      request_id text NOT NULL,
      operation text NOT NULL,
      status smallint NOT NULL,
      code integer NOT NULL,
      detail text NOT NULL
    )`);
    await db.query(
      'CREATE INDEX application_failures_latest ON application_failures (application_id, id)',
    );
    await db.query('CREATE INDEX application_failures_by_time ON application_failures (failed_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE application_failures, application_requests, request_statistics');
  }
}
