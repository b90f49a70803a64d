import { PicturesService } from '../../../src/images/pictures.service';
import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { expectRefused } from '../books/writes';
import { send, type Parts } from '../notes/parts';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { ban } from './words';

let harness: Harness;
let token: string;
let image: Buffer;
let book: number;
beforeAll(async () => {
  harness = await startWithPictures();
  const make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
  book = await make.aBook();
  image = await someJpeg();
});
afterAll(() => harness.close());

/** Bans a word before the next pictures are stored. */
function banBeforeStoring(word: string): void {
  const pictures = harness.app.get(PicturesService, { strict: false });
  const store = pictures.store.bind(pictures);
  jest.spyOn(pictures, 'store').mockImplementationOnce(async (...values) => {
    await ban(harness, 'refuse', word);
    return store(...values);
  });
}

const WRITES: readonly {
  readonly name: string;
  readonly list: () => string;
  readonly one: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly picture: Readonly<Record<string, string>>;
}[] = [
  {
    name: 'note',
    list: () => '/v2/notes',
    one: '/v2/note',
    texts: { title: 'A day', content: 'It rained.' },
    picture: { pids: 'p_1', image_1: 'file' },
  },
  {
    name: 'annotation',
    list: () => `/v2/book/${book}/annotations`,
    one: '/v2/book/annotation',
    texts: { content: 'A sentence that is long enough.', page: '3' },
    picture: { pic1: 'file' },
  },
];

describe.each(WRITES)('400, 1004: a word applies that is banned while the pictures of', (write) => {
  const { name, list, one, texts, picture } = write;
  const call = (method: string, path: string, parts: Parts) =>
    send(harness, token, method, path, parts);
  const withWord = (word: string): Parts => {
    const parts = Object.entries(picture).map(([key, value]) => [
      key,
      value === 'file' ? image : value,
    ]);
    return {
      ...texts,
      content: `${texts.content ?? ''} ${word}`,
      ...(Object.fromEntries(parts) as Parts),
    };
  };

  it(`a new ${name} are stored`, async () => {
    banBeforeStoring(`new${name}`);
    expectRefused(await call('POST', list(), withWord(`new${name}`)), 400, 1004);
  });

  it(`an edited ${name} are stored`, async () => {
    const { id } = (await call('POST', list(), texts)).body;
    banBeforeStoring(`edited${name}`);
    expectRefused(await call('PUT', `${one}/${id}`, withWord(`edited${name}`)), 400, 1004);
  });
});
