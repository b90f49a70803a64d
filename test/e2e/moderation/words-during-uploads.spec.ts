import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { beforeStoring } from '../api/while-waiting';
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
const banBeforeStoring = (word: string): void => {
  beforeStoring(harness, () => ban(harness, 'refuse', word));
};

const WRITES = [
  {
    name: 'note',
    list: () => '/v2/notes',
    one: '/v2/note',
    texts: { title: 'A day', content: 'It rained.' } as Record<string, string>,
    pictures: (): Parts => ({ pids: 'p_1', image_1: image }),
  },
  {
    name: 'annotation',
    list: () => `/v2/book/${book}/annotations`,
    one: '/v2/book/annotation',
    texts: { content: 'A sentence that is long enough.', page: '3' } as Record<string, string>,
    pictures: (): Parts => ({ pic1: image }),
  },
];

describe.each(WRITES)('400, 1004: a word that is banned meanwhile applies', (write) => {
  const { name, list, one, texts, pictures } = write;
  const call = (method: string, path: string, parts: Parts) =>
    send(harness, token, method, path, parts);
  const withWord = (word: string): Parts => {
    const content = `${texts.content ?? ''} ${word}`;
    return { ...texts, content, ...pictures() };
  };

  it(`while the pictures of a new ${name} are stored`, async () => {
    banBeforeStoring(`new${name}`);
    expectRefused(await call('POST', list(), withWord(`new${name}`)), 400, 1004);
  });

  it(`while the pictures of an edited ${name} are stored`, async () => {
    const { id } = (await call('POST', list(), texts)).body;
    banBeforeStoring(`edited${name}`);
    expectRefused(await call('PUT', `${one}/${id}`, withWord(`edited${name}`)), 400, 1004);
  });
});
