import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { checkBooks } from '../../../src/import-export/engine/recount';
import { newWriters, storm, STORM_SETTINGS } from '../storm';
import { writer, type Writer } from './writes';

let harness: Harness;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness({ settings: STORM_SETTINGS });
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const ROUNDS = 20;
const AT_ONCE = 50;

it(`${AT_ONCE} concurrent POSTs create one collection, in each of ${ROUNDS} rounds`, async () => {
  const user = await writer(harness, (await make.aUser()).id);
  for (let round = 0; round < ROUNDS; round += 1) {
    const book = await make.aBook();
    const path = `/v2/book/${book}/collection`;
    const fields = { status: 'read', rating: 5, tags: 'one' };
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, () => user.post(path, fields)),
    );
    const codes = responses.map(({ status, body }) => (status === 201 ? 201 : Number(body.code)));
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(codes.filter((code) => code === 6011)).toHaveLength(AT_ONCE - 1);
    const { body } = await harness.call(`/v2/book/${book}`);
    expect(body).toMatchObject({
      rating: { numRaters: 1, average: '10.0' },
      tags: [{ count: 1, name: 'one' }],
    });
  }
}, 300_000);

const USERS = 20;
const STORM_CALLS = 60;

it('counters are exact after concurrent POST, PUT and DELETE, and no request fails by deadlock', async () => {
  const books = [await make.aBook(), await make.aBook(), await make.aBook()];
  const users = await newWriters(harness, USERS);
  const statuses = await storm(users, STORM_CALLS, (user, below) => {
    const path = `/v2/book/${books[below(books.length)]}/collection`;
    const tags = Array.from({ length: below(4) }, () => `tag${below(5)}`).join(' ');
    const fields = {
      status: 'read',
      rating: below(7),
      tags,
      ...(below(3) === 0 ? { privacy: 'private' } : {}),
    };
    const send = [user.post, user.put, user.remove][below(3)] as Writer['post'];
    return send(path, fields);
  });
  // Each expected status occurred, and no error.
  expect(statuses).toEqual([201, 202, 204, 404, 409]);
  expect(await checkBooks(harness.database, { repair: false })).toEqual([]);
}, 300_000);
