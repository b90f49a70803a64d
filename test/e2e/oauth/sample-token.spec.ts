import { SampleService } from '../../../src/sample/sample.service';
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
