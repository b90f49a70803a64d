import { startHarness, type Harness } from '../../harness';
import { anAdministrator, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  await admin.post('/subjects', { id: 900, title: 'Film' });
  await admin.post('/celebrities', { id: 1, name: 'Person' });
  await admin.post('/books', { id: 62, title: 'Book' });
});
afterAll(() => harness.close());

describe('addresses', () => {
  it('400: must be http addresses or paths of the service', async () => {
    for (const address of [
      'javascript:alert(1)',
      '//other.example/x.jpg',
      '/\\other.example/x.jpg',
      'data:image/png;base64,AA==',
      'x.jpg',
      'ftp://other.example/x.jpg',
      'http://',
      'https:///x',
      5,
    ]) {
      for (const [path, body] of [
        ['/books/62', { images: { large: address } }],
        ['/subjects/900', { images: { small: '/x.jpg', medium: address } }],
        ['/subjects/900', { website: address }],
        ['/celebrities/1', { avatars: { large: address } }],
        ['/celebrities/1', { website: address }],
      ] as const) {
        const response = await admin.put(path, body);
        expect([address, response.status, response.body.code]).toEqual([address, 400, 999]);
      }
      expect((await admin.post('/photos', { subject_id: 900, image: address })).status).toBe(400);
    }
  });

  it('202: are accepted as http addresses, as paths, and unchanged as stored', async () => {
    for (const large of ['https://other.example/x.jpg?a=b', '/pictures/x.jpg', '']) {
      const { status, body } = await admin.put('/books/62', { images: { large } });
      expect([status, body.images.large]).toEqual([202, large]);
    }
    await harness.source.query(`UPDATE subjects SET website = 'old.example' WHERE id = 900`);
    const { body } = await admin.get('/subjects/900');
    expect((await admin.put('/subjects/900', { ...body, summary: 'S' })).status).toBe(202);
  });
});

describe('the year of a film', () => {
  it('400: has four digits when an administrator changes it; imported years stay', async () => {
    for (const year of ['abcd', '99', '2019-2020', [2019]]) {
      const { status, body } = await admin.put('/subjects/900', { year });
      expect([year, status, body.code]).toEqual([year, 400, 999]);
    }
    await harness.source.query(`UPDATE subjects SET year = '2019-2020' WHERE id = 900`);
    for (const year of ['2019-2020', 1994, '1993', '']) {
      const { status, body } = await admin.put('/subjects/900', { year });
      expect([status, body.year]).toEqual([202, String(year)]);
    }
  });
});

describe('values that the database rejects', () => {
  it('400: are reported without messages of PostgreSQL', async () => {
    await admin.post('/locs', { uid: 'taken', name: 'First' });
    const { status, body, headers } = await admin.post('/locs', { uid: 'taken', name: 'Second' });
    expect([status, body.code]).toEqual([400, 999]);
    expect(headers.get('x-error-detail')).toBe('uid is already in use');
  });
});

describe('a photo', () => {
  it('202: moves from a celebrity to a film and back, leaves its album and closes the gap', async () => {
    const own = { celebrity_id: 1, album_id: 5, album_title: 'Album', position: 8 };
    const photos: string[] = [];
    for (const image of ['/1.jpg', '/2.jpg', '/3.jpg']) {
      photos.push((await admin.post('/photos', { ...own, image })).body.id);
    }
    const [first, second, third] = photos;
    const moved = await admin.put(`/photos/${second}`, { subject_id: '900', desc: 'D' });
    expect(moved.status).toBe(202);
    const { celebrity_id, album_id, position, ...rest } = moved.body;
    expect([celebrity_id, album_id, position]).toEqual([undefined, undefined, undefined]);
    expect(rest).toMatchObject({ subject_id: '900', album_title: '', desc: 'D', image: '/2.jpg' });
    const rows = await harness.source.query(
      `SELECT id, prev_id, next_id, photos_count FROM photos ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: first, prev_id: third, next_id: null, photos_count: 2 },
      { id: second, prev_id: null, next_id: null, photos_count: 1 },
      { id: third, prev_id: null, next_id: first, photos_count: 2 },
    ]);
    const back = await admin.put(`/photos/${second}`, { celebrity_id: '1', subject_id: null });
    expect([back.body.celebrity_id, back.body.subject_id]).toEqual(['1', undefined]);
    expect((await admin.put(`/photos/${first}`, { celebrity_id: '1' })).body.album_id).toBe('5');
  });

  it.each(['subject_id', 'celebrity_id'])('400: rejects an object as %s', async (owner) => {
    const { id } = (await admin.post('/photos', { subject_id: 900, image: '/p.jpg' })).body;
    for (const value of [{ toString: 1 }, [{ toString: 1 }]]) {
      const input = { [owner]: value, image: '/p.jpg' };
      for (const response of [
        await admin.post('/photos', input),
        await admin.put(`/photos/${id}`, input),
      ]) {
        expect([response.status, response.body.code]).toEqual([400, 999]);
      }
    }
  });

  it('400: belongs either to a film or to a celebrity', async () => {
    const both = { subject_id: 900, celebrity_id: 1, image: '/p.jpg' };
    const { id } = (await admin.post('/photos', { subject_id: 900, image: '/p.jpg' })).body;
    for (const response of [
      await admin.post('/photos', both),
      await admin.put(`/photos/${id}`, both),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 999]);
    }
  });
});
