import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Indexes for the lists that moderators work through: by state, and by the kind reported. */
export class ModerationIndexes1764540100000 implements MigrationInterface {
  name = 'ModerationIndexes1764540100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(UP);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(DOWN);
  }
}

// Entries nobody has decided about are few beside all others, and are listed most: they have
// indexes of their own, which stay small. The index by user is for users that are deleted.
const UP = `
CREATE INDEX held_content_open ON held_content (id) WHERE decision IS NULL;
CREATE INDEX held_content_by_decision ON held_content (decision, id) WHERE decision IS NOT NULL;
CREATE INDEX reports_open ON reports (id) WHERE decision IS NULL;
CREATE INDEX reports_open_by_target ON reports (kind, target_id, id) WHERE decision IS NULL;
CREATE INDEX reports_open_by_kind ON reports (kind, id) WHERE decision IS NULL;
CREATE INDEX reports_by_kind ON reports (decision, kind, id) WHERE decision IS NOT NULL;
CREATE INDEX reports_by_user ON reports (user_id);
`;

const DOWN = `
DROP INDEX held_content_open, held_content_by_decision, reports_open, reports_open_by_target,
  reports_open_by_kind, reports_by_kind, reports_by_user;
`;
