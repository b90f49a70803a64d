import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectError, UNKNOWN_IDS } from '../guarantees';
import { membersOf } from '../books/shapes';
import { EVENT, EVENT_USER } from './shapes';

describe('GET /v2/event/:id', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness({
      settings: { BASE_URL: 'http://api.test', WEB_URL: 'http://web.test' },
    });
    make = new Factories(harness.database);
  });
  afterAll(() => harness.close());

  const get = (id: number | string, token?: string) => harness.call(`/v2/event/${id}`, { token });

  it('200: has every member of section 2.10, texts as strings and counts as integers', async () => {
    const city = await make.aCity({ name: '广州' });
    const owner = { id: 4_000_001, uid: 'walker', name: 'Walker', avatar: 'https://x.test/a.jpg' };
    const { id } = await make.anEvent({
      title: '城市漫步',
      content: '<p>带水</p>',
      image: 'https://x.test/m.jpg',
      'image-hlarge': 'https://x.test/h.jpg',
      'image-lmobile': '/pictures/l.jpg',
      begin_time: '2018-07-29 15:00:00',
      end_time: '2018-08-26 18:00:00',
      address: '万胜围',
      geo: '23.097736 113.384781',
      loc_id: city.id,
      album: '1672487532',
      category: 'travel',
      can_invite: 'yes',
      participant_count: 32,
      wisher_count: 204,
      owner_id: owner.id,
      owner,
    });
    const { status, body } = await get(id);
    expect(status).toBe(200);
    expect(membersOf(body)).toEqual(EVENT);
    expect(body).toEqual({
      id: String(id),
      title: '城市漫步',
      content: '<p>带水</p>',
      alt: `http://web.test/event/${id}/`,
      adapt_url: `http://web.test/event/${id}/`,
      image: 'https://x.test/m.jpg',
      'image-hlarge': 'https://x.test/h.jpg',
      'image-lmobile': 'http://api.test/pictures/l.jpg',
      begin_time: '2018-07-29 15:00:00',
      end_time: '2018-08-26 18:00:00',
      address: '万胜围',
      geo: '23.097736 113.384781',
      loc_id: String(city.id),
      loc_name: '广州',
      album: '1672487532',
      participant_count: 32,
      wisher_count: 204,
      is_priv: 'no',
      has_invited: 'no',
      can_invite: 'yes',
      owner: {
        avatar: 'https://x.test/a.jpg',
        alt: 'http://web.test/people/walker/',
        id: String(owner.id),
        name: 'Walker',
        uid: 'walker',
      },
    });
    expect(membersOf(body.owner)).toEqual(EVENT_USER);
  });

  it('200: writes unset members as in D10, with posters of three sizes', async () => {
    const { body } = await get((await make.anEvent()).id);
    expect(body).toMatchObject({
      content: '',
      address: '',
      geo: '',
      album: '',
      participant_count: 0,
      wisher_count: 0,
      is_priv: 'no',
      has_invited: 'no',
      can_invite: 'no',
    });
    for (const member of ['image', 'image-hlarge', 'image-lmobile']) {
      expect(body[member]).toMatch(
        /^http:\/\/api\.test\/pictures\/sample\/default\/event-[mhl]\.jpg$/,
      );
    }
  });

  it('200: shows the medium poster where a size is missing', async () => {
    const { body } = await get((await make.anEvent({ image: 'https://x.test/m.jpg' })).id);
    expect(body['image-hlarge']).toBe('https://x.test/m.jpg');
    expect(body['image-lmobile']).toBe('https://x.test/m.jpg');
  });

  it('200: adds participations and interests to the imported counts', async () => {
    const { id } = await make.anEvent({ participant_count: 5, wisher_count: 7 });
    const people = [await make.aUser(), await make.aUser(), await make.aUser()];
    await make.participations(...people.map((user) => ({ event_id: id, user_id: user.id })), {
      event_id: id,
      user_id: people[0]?.id,
      kind: 'wish',
    });
    expect((await get(id)).body).toMatchObject({ participant_count: 8, wisher_count: 8 });
  });

  it('200: ignores fields, which only book routes accept (D7)', async () => {
    const { id } = await make.anEvent();
    const { body } = await harness.call(`/v2/event/${id}?fields=id`);
    expect(membersOf(body)).toEqual(EVENT);
  });

  it('200, 404: a private event is returned to its owner and invited users, and is unknown (1001) to others', async () => {
    const guest = (await make.aUser()).id;
    const { id, owner_id } = await make.anEvent({ is_priv: 'yes', invited: [guest] });
    const getAs = async (userId?: number) =>
      get(id, userId === undefined ? undefined : await harness.token({ userId }));
    expect((await getAs(owner_id)).body).toMatchObject({ is_priv: 'yes', has_invited: 'no' });
    expect((await getAs(guest)).body).toMatchObject({ is_priv: 'yes', has_invited: 'yes' });
    expectError(await getAs(), 404, 1001, 'uri_not_found');
    expectError(await getAs((await make.aUser()).id), 404, 1001, 'uri_not_found');
    expectError(await get(id, await harness.token()), 404, 1001, 'uri_not_found');
  });

  it.each(UNKNOWN_IDS)('404: returns 1001 for the unknown event %s', async (id) =>
    expectError(await get(id), 404, 1001, 'uri_not_found'),
  );

  it.each(['abc', '1a', '-1', '1.5'])('404: returns 1001 for %s, which is not an id', async (id) =>
    expectError(await get(id), 404, 1001, 'uri_not_found'),
  );

  it('runs one statement', async () => {
    const { id } = await make.anEvent();
    const names: string[] = [];
    harness.database.onStatement = (name) => names.push(name);
    await get(id);
    harness.database.onStatement = undefined;
    expect(names).toEqual(['events.by_id']);
  });

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const { id } = await make.anEvent();
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get(id, token), 403, 1000, 'need_permission');
  });
});
