import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { beforeSearching } from '../api/while-waiting';
import { expectRefused, writer } from '../books/writes';
import { ban } from './words';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => harness.close());

it('400, 1004: a word that is banned while the content waits applies to the title', async () => {
  const make = new Factories(harness.database);
  const author = await writer(harness, (await make.aUser()).id);
  const content = '很'.repeat(151);
  beforeSearching(content, () => ban(harness, 'refuse', 'grobnik'));
  const review = { book: await make.aBook(), title: 'A grobnik', content };
  expectRefused(await author.post('/v2/book/reviews', review), 400, 1004);
});
