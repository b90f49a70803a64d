import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Pictures of users, what uses them, and secrets that the processes of the service share. */
export class Pictures1763769600000 implements MigrationInterface {
  name = 'Pictures1763769600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(PICTURES);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE secrets, picture_uses, pictures');
  }
}

// A picture is known by the SHA-256 of its large file: the same one is kept once, however often it
// is used. `touched_at` is when it last came in or lost a use; one without a use is removed some
// time after that.
const PICTURES = `
CREATE TABLE pictures (
  hash bytea PRIMARY KEY,
  extension text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  bytes integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pictures_hash CHECK (octet_length(hash) = 32)
);
CREATE TABLE picture_uses (
  subject text NOT NULL,
  subject_id bigint NOT NULL,
  number integer NOT NULL,
  hash bytea NOT NULL,
  private boolean NOT NULL,
  CONSTRAINT picture_uses_once PRIMARY KEY (subject, subject_id, number),
  CONSTRAINT picture_uses_picture FOREIGN KEY (hash) REFERENCES pictures (hash)
);
CREATE INDEX picture_uses_by_picture ON picture_uses (hash);
CREATE TABLE secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);
`;
