// Values exist for their types.
/* eslint-disable @typescript-eslint/no-unused-vars */
import type {
  ApiError,
  Book,
  Collection,
  Commonplace,
  Element,
  SimpleUser,
} from '../../clients/typescript/src';

/** Fails to compile unless both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_proof: Same<A, B>): void => undefined;

/**
 * Statements that must compile, and, below `@ts-expect-error`, statements that must not. The type
 * check (`npm run types`) is the test; nothing runs them.
 */
export async function typedClient(api: Commonplace): Promise<void> {
  const book = await api.get('/v2/book/{id}', { path: { id: '1' } });
  same<typeof book, Book>(true);
  same<typeof book.title, string>(true);
  same<typeof book.series, Book['series']>(true);

  const selected = await api.get('/v2/book/{id}', {
    path: { id: '1' },
    query: { fields: 'id,title' },
  });
  same<typeof selected.title, string | undefined>(true);

  const found = await api.get('/v2/book/search', { query: { q: 'water', count: 5 } });
  same<typeof found.total, number>(true);
  same<(typeof found.books)[number], Book>(true);

  const selectedList = await api.get('/v2/book/search', { query: { q: 'a', fields: 'title' } });
  same<typeof selectedList.total, number>(true);
  same<(typeof selectedList.books)[number]['title'], string | undefined>(true);

  const collection = await api.post('/v2/book/{id}/collection', {
    path: { id: '1' },
    body: { status: 'wish', rating: 5 },
    idempotencyKey: 'once',
  });
  same<typeof collection, Collection>(true);

  const nothing = await api.delete('/v2/book/{id}/collection', { path: { id: '1' } });
  same<typeof nothing, undefined>(true);

  const calendar = await api.get('/v2/event/{id}.ics', { path: { id: '1' } });
  same<typeof calendar, string>(true);

  same<Element<'/v2/event/{id}/participants'>['uid'], SimpleUser['uid']>(true);
  for await (const each of api.list('/v2/book/search', { query: { tag: '小说' } })) {
    same<typeof each, Book>(true);
  }
  await api.post('/v2/note/{id}', {
    path: { id: '1' },
    body: { pids: 'p_1' },
    files: { image_1: new Blob([]) },
    signal: AbortSignal.timeout(1000),
  });
  await api.get('/v2/rate_limit');

  // @ts-expect-error the path does not exist
  await api.get('/v2/magazine/{id}', { path: { id: '1' } });
  // @ts-expect-error the path parameter is missing
  await api.get('/v2/book/{id}');
  // @ts-expect-error the parameter of the query does not exist
  await api.get('/v2/book/search', { query: { words: 'water' } });
  // @ts-expect-error the required member `status` is missing
  await api.post('/v2/book/{id}/collection', { path: { id: '1' }, body: { rating: 5 } });
  // @ts-expect-error the status is none of the words
  await api.put('/v2/book/{id}/collection', { path: { id: '1' }, body: { status: 'eaten' } });
  // @ts-expect-error the path has no POST
  await api.post('/v2/book/{id}', { path: { id: '1' } });
  // @ts-expect-error the response is one object, not a list
  api.list('/v2/book/{id}', { path: { id: '1' } });
  // @ts-expect-error the member does not exist
  void book.isbn;
}

/** Members of errors. */
export const codeOf = (error: ApiError): [number, number, number | undefined] => [
  error.code,
  error.status,
  error.retryAfter,
];
