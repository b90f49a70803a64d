import { UsesOfDeletedTexts1764752000000 } from '../../../migrations/1764752000000-uses-of-deleted-texts';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

it('uses of pictures of texts that do not exist are deleted, and their pictures swept later', async () => {
  const make = new Factories(opened.database);
  const note = await make.aNote();
  const { source } = opened;
  await source.query(`INSERT INTO pictures (hash, extension, bytes, width, height, last_referenced_at)
    SELECT decode(repeat(h, 32), 'hex'), 'png', 1, 1, 1, now() - interval '9 days' FROM unnest('{aa,bb}'::text[]) h`);
  await source.query(
    `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
    SELECT subject, id, 1, decode(repeat(h, 32), 'hex'), false FROM (VALUES
      ('note', $1::bigint, 'aa'), ('note', 8, 'bb'), ('annotation', $1, 'bb'), ('application', 9, 'aa')
    ) AS r(subject, id, h)`,
    [note.id],
  );
  const runner = source.createQueryRunner();
  await new UsesOfDeletedTexts1764752000000().up(runner);
  await runner.release();
  const left = await source.query<object[]>(
    `SELECT subject, subject_id::int AS id FROM picture_uses ORDER BY subject`,
  );
  expect(left).toEqual([
    { subject: 'application', id: 9 },
    { subject: 'note', id: note.id },
  ]);
  const recent = await source.query<object[]>(
    `SELECT left(encode(hash, 'hex'), 2) AS hash FROM pictures
     WHERE last_referenced_at > now() - interval '1 minute'`,
  );
  expect(recent).toEqual([{ hash: 'bb' }]);
});
