/** Values of a request, by name. */
export type Values = Readonly<Record<string, string | number | boolean | object>>;

/** Responses of the requests so far, by operation. */
// Bodies have many shapes; a missing member fails the request that needs it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Earlier = (operation: string) => any;

/** A request of an example, without the parameters that depend on earlier responses. */
export interface Step {
  /** Method and path of the OpenAPI document. */
  readonly operation: string;
  readonly path?: (earlier: Earlier) => Values;
  readonly query?: Values;
  readonly body?: (earlier: Earlier) => Values;
  /** Name of the part of a picture, which makes the body a multipart form. */
  readonly picture?: string;
  /** Whether it only prepares a later step, and is no example. */
  readonly isPreparation?: boolean;
  /** Nobody by default where no token is required, else a reader of the sample. */
  readonly caller?: 'reader' | 'other';
}

const step = (operation: string, more: Omit<Step, 'operation'> = {}): Step => ({
  operation,
  ...more,
});

/** A path with fixed ids. */
const at = (values: Values) => (): Values => values;
const book = at({ id: '1' });
const collected = at({ id: '12' });
const REVIEW = '这本书的长处是提问，而不是给出答案。'.repeat(10);
const ANNOTATION = '读到这里忽然明白，作者在开头就已经给出了答案，只是没有人留意。';

/** Requests to the public API, in the order in which they are sent to a fresh sample. */
export const PUBLIC_STEPS: readonly Step[] = [
  step('GET /v2/book/{id}', { path: book }),
  step('GET /v2/book/isbn/{name}', { path: at({ name: '9787536692930' }) }),
  step('GET /v2/book/list', { query: { ids: '1,999999' } }),
  step('GET /v2/book/search', { query: { q: '三体', count: 1 } }),
  step('GET /v2/book/series/{id}/books', { path: at({ id: '2' }), query: { count: 1 } }),
  step('GET /v2/book/{id}/tags', { path: book, query: { count: 3 } }),
  step('GET /v2/book/user/{name}/tags', { path: at({ name: 'linmo' }), query: { count: 3 } }),
  step('GET /v2/book/user_tags/{id}', { path: at({ id: '1' }), query: { count: 3 } }),
  step('GET /v2/book/user/{name}/collections', {
    path: at({ name: 'linmo' }),
    query: { status: 'read', count: 1 },
  }),
  step('POST /v2/book/{id}/collection', {
    path: collected,
    body: at({ status: 'reading', rating: 5, tags: '科幻 小说', comment: '值得重读。' }),
    caller: 'other',
  }),
  step('GET /v2/book/{id}/collection', { path: book, query: { user_id: 'linmo' } }),
  step('PUT /v2/book/{id}/collection', {
    path: collected,
    body: at({ status: 'read', rating: 4 }),
    caller: 'other',
  }),
  step('DELETE /v2/book/{id}/collection', { path: collected, caller: 'other' }),
  step('POST /v2/book/{id}/annotations', {
    path: book,
    body: at({ content: ANNOTATION, page: 12, chapter: '第一章' }),
  }),
  step('GET /v2/book/annotation/{id}', { path: at({ id: '1' }), query: { format: 'html' } }),
  step('GET /v2/book/{id}/annotations', { path: at({ id: '6' }), query: { count: 1 } }),
  step('GET /v2/book/user/{name}/annotations', {
    path: at({ name: 'suqing' }),
    query: { count: 1 },
  }),
  step('PUT /v2/book/annotation/{id}', {
    path: (earlier) => ({ id: earlier('POST /v2/book/{id}/annotations').id as string }),
    body: at({ content: `${ANNOTATION}再读一遍。`, page: 13 }),
  }),
  step('DELETE /v2/book/annotation/{id}', {
    path: (earlier) => ({ id: earlier('POST /v2/book/{id}/annotations').id as string }),
  }),
  step('POST /v2/book/reviews', {
    body: at({ book: 2, title: '好问题比好答案重要', content: REVIEW, rating: 4 }),
  }),
  step('PUT /v2/book/review/{id}', {
    path: (earlier) => ({ id: String(earlier('POST /v2/book/reviews').id) }),
    body: at({ title: '好问题', content: REVIEW, rating: 5 }),
  }),
  step('DELETE /v2/book/review/{id}', {
    path: (earlier) => ({ id: String(earlier('POST /v2/book/reviews').id) }),
  }),

  step('POST /v2/notes', {
    body: at({ title: '搬书记', content: '搬了一次家。', privacy: 'public' }),
  }),
  step('GET /v2/note/{id}', { path: at({ id: '2' }), query: { format: 'abstract' } }),
  step('GET /v2/note/user_created/{id}', {
    path: at({ id: '2' }),
    query: { format: 'abstract', count: 1 },
  }),
  step('PUT /v2/note/{id}', {
    path: (earlier) => ({ id: earlier('POST /v2/notes').id as string }),
    body: at({ title: '搬书记', content: '搬了一次家，才知道有多少书。', can_reply: false }),
  }),
  step('POST /v2/note/{id}', {
    path: (earlier) => ({ id: earlier('POST /v2/notes').id as string }),
    body: at({ pids: 'p_1', layout_1: 'C', desc_1: '新书架' }),
    picture: 'image_1',
  }),
  step('POST /v2/note/{id}/like', { path: at({ id: '2' }) }),
  step('GET /v2/note/user_liked/{name}', {
    path: at({ name: 'linmo' }),
    query: { format: 'abstract', count: 1 },
  }),
  step('DELETE /v2/note/{id}/like', { path: at({ id: '2' }) }),
  step('POST /v2/note/{id}/comments', {
    path: at({ id: '2' }),
    body: at({ content: '我也去过。' }),
  }),
  step('GET /v2/note/{id}/comments', { path: at({ id: '1' }), query: { count: 1 } }),
  step('GET /v2/note/{id}/comment/{reply}', { path: at({ id: '1', reply: '1' }) }),
  step('DELETE /v2/note/{id}/comment/{reply}', {
    path: (earlier) => ({
      id: '2',
      reply: earlier('POST /v2/note/{id}/comments').id as string,
    }),
  }),
  step('DELETE /v2/note/{id}', {
    path: (earlier) => ({ id: earlier('POST /v2/notes').id as string }),
  }),

  step('GET /v2/movie/subject/{id}', { path: at({ id: '1002' }) }),
  step('GET /v2/movie/subject/list', { query: { ids: '1002,999999' } }),
  step('GET /v2/movie/{id}', { path: at({ id: '1002' }) }),
  step('GET /v2/movie/subject/{id}/photos', { path: at({ id: '1001' }), query: { count: 1 } }),
  step('GET /v2/movie/subject/{id}/reviews', { path: at({ id: '1001' }), query: { count: 1 } }),
  step('GET /v2/movie/subject/{id}/comments', { path: at({ id: '1001' }), query: { count: 1 } }),
  step('GET /v2/movie/celebrity/{id}', { path: at({ id: '2001' }) }),
  step('GET /v2/movie/celebrity/{id}/works', { path: at({ id: '2001' }), query: { count: 1 } }),
  step('GET /v2/movie/celebrity/{id}/photos', { path: at({ id: '2031' }), query: { count: 1 } }),
  step('GET /v2/movie/search', { query: { q: '霸王别姬', count: 1 } }),
  step('GET /v2/movie/top250', { query: { count: 1 } }),
  step('GET /v2/movie/us_box'),
  step('GET /v2/movie/weekly'),
  step('GET /v2/movie/new_movies'),
  step('GET /v2/movie/in_theaters', { query: { city: '北京', count: 1 } }),
  step('GET /v2/movie/coming_soon', { query: { count: 1 } }),

  step('GET /v2/event/{id}', { path: at({ id: '1' }) }),
  step('GET /v2/event/{id}.ics', { path: at({ id: '1' }) }),
  step('GET /v2/event/list', { query: { ids: '1,999999' } }),
  step('GET /v2/event/list.ics', { query: { ids: '1' } }),
  step('GET /v2/event/{id}/participants', { path: at({ id: '1' }), query: { count: 1 } }),
  step('GET /v2/event/{id}/wishers', { path: at({ id: '1' }), query: { count: 1 } }),
  step('GET /v2/event/user_created/{id}', { path: at({ id: '9' }), query: { count: 1 } }),
  step('GET /v2/event/user_participated/{id}', { path: at({ id: '7' }), query: { count: 1 } }),
  step('GET /v2/event/user_wished/{id}', { path: at({ id: '1' }), query: { count: 1 } }),
  step('POST /v2/event/{id}/participants', {
    path: at({ id: '1' }),
    body: at({ participate_date: '2026-02-01' }),
  }),
  step('DELETE /v2/event/{id}/participants', { path: at({ id: '1' }) }),
  step('POST /v2/event/{id}/wishers', { path: at({ id: '1' }) }),
  step('DELETE /v2/event/{id}/wishers', { path: at({ id: '1' }) }),
  step('GET /v2/loc/list', { query: { count: 1 } }),
  step('GET /v2/loc/{id}', { path: at({ id: '108288' }) }),

  step('GET /v2/captcha'),
  step('GET /v2/rate_limit'),
  step('GET /v2/openapi.json'),
  step('POST /v2/report', { body: at({ kind: 'review', id: 1, reason: '广告' }) }),
  step('GET /healthz'),
  step('GET /readyz'),
  step('GET /.well-known/oauth-authorization-server'),
];
