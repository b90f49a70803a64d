/** Complete records of each kind, in the order of their ids, as exports have them. */
export const LOCS = [
  { id: '5', name: '南宁', uid: 'nanning', parent: 'guangxi', habitable: 'yes' },
  { id: '7', name: 'New York', uid: '7', parent: '', habitable: 'no' },
].map((loc, at) => ({ ...loc, time_zone: at === 0 ? 'Asia/Shanghai' : 'America/New_York' }));

export const EVENTS = [
  {
    id: '11',
    title: ' 读书会 ',
    content: '<p>带一本书</p>\r\n',
    image: 'https://x.test/m.jpg',
    'image-hlarge': 'https://x.test/h.jpg',
    'image-lmobile': '/pictures/l.jpg',
    begin_time: '2026-02-28 23:59:59',
    end_time: '2026-03-01 00:00:00',
    address: '图书馆',
    geo: '22.8170 108.3665',
    loc_id: '5',
    album: '123',
    category: 'salon',
    is_priv: 'yes',
    can_invite: 'yes',
    participant_count: 3,
    wisher_count: 4,
    owner_id: '21',
    invited: [22, 23],
  },
  {
    id: '12',
    title: 'Bare',
    content: '',
    image: '',
    'image-hlarge': '',
    'image-lmobile': '',
    begin_time: '2026-02-28 23:59:59',
    end_time: '2026-02-28 23:59:59',
    address: '',
    geo: '',
    loc_id: '7',
    album: '',
    category: 'course',
    is_priv: 'no',
    can_invite: 'no',
    participant_count: 0,
    wisher_count: 0,
    owner_id: '22',
    invited: [],
  },
];

export const PARTICIPATIONS = [
  ['11', '22', 'participate', '2026-03-01'],
  ['11', '22', 'wish', ''],
  ['11', '23', 'participate', ''],
].map(([event_id, user_id, kind, participate_date], at) => ({
  ...{ id: 31 + at, event_id, user_id, kind, date: '2026-01-02 03:04:05', participate_date },
}));
