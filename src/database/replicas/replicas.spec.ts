import { ContentVersions } from '../../api/cache/content-versions';
import { statement } from '../statement';
import { decodePosition, encodePosition, parsePosition } from './log-position';
import { PositionHistory } from './position-history';
import { canRunOnReplica } from './replicable';
import { hostOf, ServerList } from './server-list';

it('splits an address with several hosts, and leaves others as they are', () => {
  const address = 'postgres://ann:p%40ss@db1:5433,db2,[::1]:5434/books?sslmode=require&';
  const servers = new ServerList(`${address}target_session_attrs=read-write`, '/none');
  expect(servers.urls).toEqual([
    'postgres://ann:p%40ss@db1:5433/books?sslmode=require',
    'postgres://ann:p%40ss@db2/books?sslmode=require',
    'postgres://ann:p%40ss@[::1]:5434/books?sslmode=require',
  ]);
  expect(servers.requiresPrimary).toBe(true);
  expect(servers.urls.map(hostOf)).toEqual(['db1:5433', 'db2', '[::1]:5434']);
  const single = new ServerList('postgresql://localhost/books?host=/run/postgresql', '/none');
  expect(single.urls).toEqual(['postgresql://localhost/books?host=/run/postgresql']);
  expect(single.requiresPrimary).toBe(false);
});

it('reads positions, without headers of pages', () => {
  expect(parsePosition('0/16B3748')).toBe(0x16b3748);
  expect(parsePosition('2/10')).toBe(2 * 2 ** 32 + 16);
  expect(parsePosition('0/2018')).toBe(0x2000);
  expect(parsePosition('0/1000028')).toBe(0x1000000);
});

it('encodes positions with timelines, so that text of later positions sorts later', () => {
  const positions = [
    { timeline: 1, position: 9 },
    { timeline: 1, position: 2 ** 50 + 1 },
    { timeline: 2, position: 10 },
    { timeline: 0x7fffffff, position: 11 },
  ];
  const texts = positions.map(encodePosition);
  expect([...texts].sort()).toEqual(texts);
  expect(texts.map(decodePosition)).toEqual(positions);
  expect(Number(texts[0])).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  expect(decodePosition('900')).toEqual({ timeline: undefined, position: 900 });
  expect(decodePosition('damaged').position).toBe(Infinity);
});

it('knows until when a position was current', () => {
  const history = new PositionHistory(1000);
  for (const [at, position] of [
    [100, 10],
    [200, 10],
    [300, 30],
  ] as const) {
    history.add(at, position);
  }
  expect([9, 10, 29, 30, 99].map((position) => history.currentAt(position))).toEqual([
    ...[undefined, 200, 200, 300, 300],
  ]);
  history.add(1250, 40);
  expect(history.currentAt(10)).toBeUndefined();
});

it.each([
  ['SELECT id FROM books WHERE updated_at > $1', true],
  ['WITH found AS (SELECT 1) SELECT * FROM found', true],
  ['(SELECT 1) UNION ALL (SELECT 2)', true],
  ['SELECT 1 FROM sessions FOR KEY SHARE', false],
  ['WITH gone AS (DELETE FROM books RETURNING 1) SELECT 1 FROM gone', false],
  ['UPDATE books SET title = $1', false],
  ['SELECT ids FROM search_results', false],
  ['SELECT pg_current_snapshot()', false],
])('%s runs on a standby: %s', (text, expected) => {
  expect(canRunOnReplica(statement(text, text))).toBe(expected);
});

it('content of a replica counts only if the replica has replayed the last change of it', () => {
  const versions = new ContentVersions();
  versions.changeAll();
  // Until changes are known again, only content of the primary counts.
  expect(versions.isCurrent(versions.current, ['book:1'], 500)).toBe(false);
  expect(versions.isCurrent(versions.current, ['book:1'])).toBe(true);
  versions.resume(100);
  versions.change(['book:1'], 300);
  const version = versions.current;
  expect(versions.isCurrent(version, ['book:1'], 299)).toBe(false);
  expect(versions.isCurrent(version, ['book:1'], 300)).toBe(true);
  expect(versions.isCurrent(version, ['book:2'], 299)).toBe(true);
  expect(versions.isCurrent(version, ['book:2'], 99)).toBe(false);
  expect(versions.isCurrent(version - 1, ['book:1'], 300)).toBe(false);
});
