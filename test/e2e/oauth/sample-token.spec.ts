import { ApplicationsService } from '../../../src/oauth/applications.service';
import { SampleService } from '../../../src/sample/sample.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

let harness: Harness;
let sample: SampleService;
beforeAll(async () => {
  harness = await startHarness();
  sample = harness.app.get(SampleService, { strict: false });
  await sample.load();
});
afterAll(() => harness.close());

it('the start has no token, and does not fail, without approval of a scope for the sample', async () => {
  expect(await sample.issueToken()).toMatch(/^cpat_/);
  await harness.source.query(
    `UPDATE applications SET scopes = array_remove(scopes, 'movie_premium_r')`,
  );
  expect(await sample.issueToken()).toBeUndefined();
});

it('a start loads the sample again only for its own application with the temporary name', async () => {
  const name = 'Sample application (loading)';
  const { id: ownerId } = await new Factories(harness.database).aUser();
  await harness.app.get(ApplicationsService, { strict: false }).create({ name, ownerId });
  await harness.source.query(`UPDATE books SET title = 'changed'`);
  await sample.loadWhenEmpty();
  const titles = 'SELECT DISTINCT title FROM books';
  expect(await harness.source.query(titles)).toEqual([{ title: 'changed' }]);
  const owners = 'SELECT owner_id::int FROM applications WHERE name = $1';
  expect(await harness.source.query(owners, [name])).toEqual([{ owner_id: ownerId }]);

  // The state that an interrupted load leaves.
  await harness.source.query(
    `UPDATE applications SET name = $1 WHERE name = 'Sample application'`,
    [name],
  );
  await sample.loadWhenEmpty();
  expect(await harness.source.query(titles)).not.toContainEqual({ title: 'changed' });
  expect(await harness.source.query(owners, [name])).toEqual([{ owner_id: ownerId }]);
});
