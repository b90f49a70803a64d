import { TextSearch } from '../../../src/moderation/text-search';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectRefused, writer } from '../books/writes';
import { ban } from './words';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => harness.close());

/** Bans a word before the first search of a text. */
function banBeforeSearching(content: string, word: string): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its search
  const { find } = TextSearch.prototype;
  let isBanned = false;
  jest.spyOn(TextSearch.prototype, 'find').mockImplementation(async function (
    this: TextSearch,
    text,
    options,
  ) {
    if (text === content && !isBanned) {
      isBanned = true;
      await ban(harness, 'refuse', word);
    }
    return find.call(this, text, options);
  });
}

it('400, 1004: a word that is banned while the content waits applies to the title', async () => {
  const make = new Factories(harness.database);
  const author = await writer(harness, (await make.aUser()).id);
  const content = '很'.repeat(151);
  banBeforeSearching(content, 'grobnik');
  const review = { book: await make.aBook(), title: 'A grobnik', content };
  expectRefused(await author.post('/v2/book/reviews', review), 400, 1004);
});
