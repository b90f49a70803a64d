import { startCachedServer, type CachedServer } from './cached-server';

let harness: CachedServer;
let reader: string;
beforeAll(async () => {
  harness = await startCachedServer();
  reader = await harness.token({ userId: 1 });
});
afterAll(() => harness.close());

describe('a user', () => {
  const own = async (): Promise<unknown> =>
    (JSON.parse(await harness.readCurrent('/v2/book/4', reader)) as Record<string, unknown>)
      .current_user_collection;

  it('gets the common response until there is a collection, and then an own one', async () => {
    const path = '/v2/book/4';
    await harness.call(`${path}/collection`, { method: 'DELETE', token: reader });
    const common = await harness.readCached(path);
    expect(await harness.readCached(path, reader)).toBe(common);
    const body = new URLSearchParams({ status: 'wish' });
    const { status } = await harness.call(`${path}/collection`, {
      method: 'POST',
      token: reader,
      body,
    });
    expect(status).toBe(201);
    expect(await own()).toMatchObject({ status: 'wish' });
    await harness.readCached(path, reader);
    expect(await own()).toMatchObject({ status: 'wish' });
    expect(await harness.readCached(path)).toBe(common);
    const other = await harness.token({ userId: 2 });
    await harness.call(`${path}/collection`, { method: 'DELETE', token: other });
    expect(await harness.readCached(path, other)).toBe(common);
    await harness.call(`${path}/collection`, { method: 'DELETE', token: reader });
    expect(await own()).toBeUndefined();
  });

  it('only invited users see a private event', async () => {
    const path = '/v2/event/3';
    await harness.readCached(path);
    await harness.sql('UPDATE events SET private = true WHERE id = 3');
    expect(JSON.parse(await harness.readCurrent(path))).toMatchObject({ code: 1001 });
    await harness.sql(
      'INSERT INTO event_invitations (event_id, user_id) VALUES (3, 1) ON CONFLICT DO NOTHING',
    );
    expect(JSON.parse(await harness.readCurrent(path, reader))).toMatchObject({
      has_invited: 'yes',
    });
    await harness.readCached(path, reader);
    expect(JSON.parse(await harness.readCurrent(path))).toMatchObject({ code: 1001 });
    await harness.sql('DELETE FROM event_invitations WHERE event_id = 3');
    const owner = Number(
      ((await harness.sql('SELECT owner_id FROM events WHERE id = 3')) as { owner_id: string }[])[0]
        ?.owner_id,
    );
    expect(JSON.parse(await harness.readCurrent(path, reader))).toMatchObject(
      owner === 1 ? {} : { code: 1001 },
    );
  });

  it('alone sees their private collections in the list, and reads of others come from memory', async () => {
    const path = '/v2/book/user/4/collections';
    const owner = await harness.token({ userId: 4 });
    await harness.sql('UPDATE collections SET private = false WHERE user_id = 4');
    const common = await harness.readCached(path);
    expect(await harness.readCached(path, reader)).toBe(common);
    expect(await harness.readCached(path, owner)).toBe(common);
    await harness.sql('UPDATE collections SET private = true WHERE user_id = 4');
    const totalOf = async (token?: string): Promise<unknown> =>
      (JSON.parse(await harness.readCurrent(path, token)) as Record<string, unknown>).total;
    expect([await totalOf(), await totalOf(reader)]).toEqual([0, 0]);
    expect(await harness.readCached(path, owner)).toBe(common);
    expect([await totalOf(), await totalOf(reader)]).toEqual([0, 0]);
  });

  it('whose name passes to another user has the collections of the new one no longer', async () => {
    const path = '/v2/book/user/reader/collections';
    const shelf = `UPDATE users SET uid = $1 WHERE id = $2`;
    await harness.sql(shelf, ['reader', 5]);
    const former = await harness.readCached(path, reader);
    await harness.sql(shelf, ['former', 5]);
    await harness.sql(shelf, ['reader', 1]);
    await harness.sql(
      `INSERT INTO collections (user_id, book_id, status) VALUES (1, 41, 'wish') ON CONFLICT DO NOTHING`,
    );
    await harness.sql('UPDATE collections SET private = true WHERE user_id = 1');
    const own = JSON.parse(await harness.readCurrent(path, reader)) as {
      collections: { user_id: string }[];
    };
    expect(own.collections.map(({ user_id: id }) => id)).toContain('1');
    expect(JSON.stringify(own)).not.toBe(former);
    expect(JSON.parse(await harness.readCurrent(path))).toMatchObject({ total: 0 });
  });

  it('gets the participants of an event from memory, but none of a private one', async () => {
    const path = '/v2/event/5/participants';
    await harness.sql('UPDATE events SET private = false WHERE id = 5');
    const common = await harness.readCached(path);
    expect(await harness.readCached(path, reader)).toBe(common);
    await harness.sql('UPDATE events SET private = true WHERE id = 5');
    await harness.sql('INSERT INTO event_invitations (event_id, user_id) VALUES (5, 1)');
    expect(await harness.readCurrent(path, reader)).toBe(common);
    await harness.readCached(path, reader);
    expect(JSON.parse(await harness.readCurrent(path))).toMatchObject({ code: 1001 });
    const other = await harness.token({ userId: 6 });
    expect(JSON.parse(await harness.readCurrent(path, other))).toMatchObject({ code: 1001 });
  });

  it('is shown as invited to a public event, also after a list of its users', async () => {
    await harness.sql('UPDATE events SET private = false WHERE id = 6');
    await harness.sql('INSERT INTO event_invitations (event_id, user_id) VALUES (6, 1)');
    await harness.readCached('/v2/event/6');
    await harness.readCached('/v2/event/6/participants', reader);
    const event: unknown = JSON.parse(await harness.readCurrent('/v2/event/6', reader));
    expect(event).toMatchObject({ has_invited: 'yes' });
  });
});
