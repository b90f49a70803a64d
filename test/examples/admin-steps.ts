import { type Earlier, type Step, type Values } from './steps';

const PREFIX = '/admin/v1';
const step = (operation: string, more: Omit<Step, 'operation'> = {}): Step => ({
  operation: operation.replace(' /', ` ${PREFIX}/`),
  ...more,
});
const at = (values: Values) => (): Values => values;
/** The id of a record that an earlier step has created. */
const made = (path: string) => (earlier: Earlier) => ({
  id: String(earlier(`POST ${PREFIX}${path}`).id),
});

/** Steps for one type of records: a list, and a record that is created, read, changed and deleted. */
const records = (
  path: string,
  param: string,
  create: Values,
  change: Values,
  query: Values = { q: 'X' },
): Step[] => [
  step(`POST ${path}`, { body: at(create) }),
  step(`GET ${path}`, { query: { ...query, count: 1 } }),
  step(`GET ${path}/{${param}}`, { path: made(path) }),
  step(`PUT ${path}/{${param}}`, { path: made(path), body: at(change) }),
  step(`DELETE ${path}/{${param}}`, { path: made(path) }),
];

/** Steps that merge a new record into a record of the sample. */
const merge = (path: string, title: string, into: number): Step[] => [
  step(`POST ${path}`, { body: at({ title }), isPreparation: true }),
  step(`GET ${path}/{id}/merge`, { path: made(path), query: { into } }),
  step(`POST ${path}/{id}/merge`, { path: made(path), body: at({ into }) }),
];

const client = (earlier: Earlier) => ({
  clientId: earlier(`GET ${PREFIX}/applications`).applications[0].client_id as string,
});
const first = (path: string, member: string) => (earlier: Earlier) => ({
  id: String(earlier(`GET ${PREFIX}${path}`)[member][0].id),
});
const queued = (position: number) => (earlier: Earlier) => ({
  id: String(earlier(`GET ${PREFIX}/moderation/queue`).queue[position].id),
});
const reader = at({ id: '12' });

/** Requests to the administration API, after those to the public API. */
export const ADMIN_STEPS: readonly Step[] = [
  step('GET /openapi.json'),
  ...records(
    '/books',
    'id',
    { title: '新书', author: ['林默'] },
    { publisher: '新书社' },
    { q: '三体' },
  ),
  ...records(
    '/subjects',
    'id',
    { title: '新片', year: '2026' },
    { genres: ['剧情'] },
    { q: '活着' },
  ),
  ...records('/celebrities', 'id', { name: '新人' }, { gender: '女' }, { q: '张艺谋' }),
  ...records(
    '/photos',
    'id',
    { subject_id: '1001', image: '/pictures/sample/photos/3001-image.jpg' },
    { desc: '剧照' },
    {},
  ),
  ...records(
    '/events',
    'id',
    { title: '读书会', begin_time: '2030-01-01 19:00:00', loc_id: '108288', owner_id: '1' },
    { end_time: '2030-01-01 21:00:00' },
    { q: '合唱' },
  ),
  ...records('/locs', 'id', { name: '新城', uid: 'newtown' }, { parent: 'world' }, { q: '北京' }),
  ...records('/series', 'id', { title: '新丛书' }, { title: '新丛书（修订）' }, { q: '哈利' }),
  ...merge('/books', '重复的书', 1),
  ...merge('/subjects', '重复的影片', 1001),
  step('POST /showings', { body: at({ subject_id: 1004, city: '北京', from: '2030-01-01' }) }),
  step('GET /showings', { query: { city: '北京', count: 1 } }),
  step('DELETE /showings/{id}', { path: made('/showings') }),
  step('GET /charts', { query: { name: 'top250', count: 1 } }),
  step('GET /charts/{id}', {
    path: (earlier) => ({ id: String(earlier(`GET ${PREFIX}/charts`).charts[0].id) }),
  }),
  step('POST /charts/{name}/compute', {
    path: at({ name: 'new_movies' }),
    body: at({ date: '2030-01-01' }),
  }),
  step('PUT /charts/{id}', {
    path: at({ id: 'top250' }),
    body: at({ date: '2030-01-01', entries: [{ rank: 1, subject_id: '1004' }] }),
  }),
  step('DELETE /charts/{id}', {
    path: (earlier) => ({ id: String(earlier(`GET ${PREFIX}/charts`).charts[0].id) }),
  }),
  step('GET /applications', { query: { q: 'Sample', count: 1 } }),
  step('GET /applications/{clientId}', { path: client }),
  step('POST /applications/{clientId}/approve', {
    path: client,
    body: at({ scopes: ['movie_advance_r'] }),
  }),
  step('POST /applications/{clientId}/suspend', {
    path: client,
    body: at({ scopes: ['movie_advance_r'], reason: '不再需要' }),
  }),
  step('POST /applications/{clientId}/decline', {
    path: client,
    body: at({ scopes: ['movie_premium_r'], reason: '没有合作' }),
  }),
  step('PUT /applications/{clientId}/limit', { path: client, body: at({ per_hour: 5000 }) }),
  step('DELETE /applications/{clientId}/limit', { path: client }),
  step('POST /applications/{clientId}/block', {
    path: client,
    body: at({ reason: '滥用', contact: 'help@service.example' }),
  }),
  step('POST /applications/{clientId}/unblock', { path: client }),
  step('GET /limits', { query: { count: 1 } }),
  step('GET /limits/{name}', { path: at({ name: 'LIMIT_USER_L1' }) }),
  step('PUT /limits/{name}', { path: at({ name: 'LIMIT_USER_L1' }), body: at({ value: 900 }) }),
  step('DELETE /limits/{name}', { path: at({ name: 'LIMIT_USER_L1' }) }),
  step('GET /users', { query: { q: 'linmo' } }),
  step('GET /users/{id}', { path: reader }),
  step('PUT /users/{id}/role', { path: reader, body: at({ role: 'member' }) }),
  step('POST /users/{id}/block', {
    path: reader,
    body: at({ reason: '刷屏', until: '2030-01-31' }),
  }),
  step('POST /users/{id}/unblock', { path: reader }),
  step('POST /words', { body: at({ action: 'refuse', words: ['广告词'] }) }),
  step('GET /words', { query: { action: 'refuse', count: 1 } }),
  step('PUT /words/{id}', { path: first('/words', 'words'), body: at({ action: 'hold' }) }),
  step('DELETE /words/{id}', { path: first('/words', 'words') }),
  step('GET /reports', { query: { count: 1 } }),
  step('GET /reports/{id}', { path: first('/reports', 'reports') }),
  step('POST /reports/{id}/resolve', {
    path: first('/reports', 'reports'),
    body: at({ action: 'dismiss', comment: '不是广告' }),
  }),
  ...['一则推销', '又一则推销'].map((title): Step => ({
    operation: 'POST /v2/notes',
    body: at({ title, content: '请看。' }),
    isPreparation: true,
  })),
  step('GET /moderation/queue', { query: { count: 2 } }),
  step('GET /moderation/queue/{id}', { path: queued(0) }),
  step('POST /moderation/queue/{id}/release', { path: queued(0) }),
  step('POST /moderation/queue/{id}/reject', { path: queued(1) }),
  step('POST /jobs', { body: at({ type: 'export', kind: 'loc', path: 'locs.ndjson' }) }),
  step('GET /jobs', { query: { count: 1 } }),
  step('GET /jobs/{id}', { path: made('/jobs') }),
  step('GET /jobs/{id}/report', { path: made('/jobs') }),
  step('POST /jobs/{id}/cancel', { path: made('/jobs') }),
  step('GET /audit', { query: { count: 1 } }),
];
