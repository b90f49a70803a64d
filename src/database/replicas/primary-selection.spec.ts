import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FALLBACK_MS, PrimarySelection, type LastPrimary } from './primary-selection';
import { ServerList } from './server-list';
import { type ServerState } from './server-monitor';

const HOSTS = ['a', 'b', 'c'] as const;
type Host = (typeof HOSTS)[number];

const urlOf = (host: Host): string => `postgres://${host}/books`;
const LAST: LastPrimary = { system: 'x', silentMs: 0 };

/** A response: `2` of a primary on timeline 2, `2s` of a standby, `1 y` of the cluster y. */
function stateOf(text: string): ServerState {
  const [timeline = '', system = 'x'] = text.split(' ');
  const numbers = { position: 1, askedAt: 0, respondedAt: 0, startedAt: '' };
  const isStandby = timeline.endsWith('s');
  return { ...numbers, isStandby, timeline: Number.parseInt(timeline, 10), system };
}

/** DATA_DIR; its files of one test must not reach the next one. */
let folder: string;
afterEach(async () => {
  await process.servers.knownTimeline.stored;
  rmSync(folder, { recursive: true });
});

/** A process, and what it selects. */
class Process {
  readonly servers = new ServerList('postgres://a,b,c/books', folder);
  private readonly states = new Map<string, ServerState | undefined>();
  private readonly selection = new PrimarySelection(this.servers, this.states);

  /** Receives a response of each host; undefined is none. @returns the selected host */
  poll(responses: Partial<Record<Host, string>>, last = LAST): string {
    for (const host of HOSTS) {
      const text = responses[host];
      this.states.set(urlOf(host), text === undefined ? undefined : stateOf(text));
    }
    this.selection.update(last);
    return new URL(this.servers.current).host;
  }
}

let process: Process;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-selection-'));
  process = new Process();
});

it('selects the server that accepts writes, with the latest timeline', () => {
  expect(process.poll({ a: '1s', b: '1', c: '1s' })).toBe('b');
  expect(process.poll({ a: '2', b: '1', c: '2s' })).toBe('a');
});

it('keeps a primary that does not respond', () => {
  process.poll({ b: '2' });
  expect(process.poll({ a: '2s' })).toBe('b');
  expect(process.poll({})).toBe('b');
});

it('leaves a former primary for the standby with the latest timeline, and stays with it', () => {
  expect(process.poll({ a: '1', b: '2s', c: '3s' })).toBe('c');
  expect(process.poll({ a: '1', b: '2s' })).toBe('c');
  expect(process.poll({ a: '1', b: '2' })).toBe('c');
  expect(process.poll({ a: '1', b: '3' })).toBe('b');
});

it('leaves a former primary for any server that rejects writes when no standby responds', () => {
  process.servers.knownTimeline.remember({ system: 'x', timeline: 2 });
  expect(process.poll({ a: '1' })).toBe('b');
  expect(process.poll({ a: '1', c: '1' })).toBe('b');
  expect(process.poll({ a: '1', c: '2' })).toBe('c');
});

it('uses the cluster of the stored timeline, also after a start', async () => {
  const { knownTimeline } = process.servers;
  knownTimeline.remember({ system: 'x', timeline: 3 });
  knownTimeline.remember({ system: 'y', timeline: 1 });
  await knownTimeline.stored;
  const started = new Process();
  expect(started.poll({ a: '3', b: '1 y' }, { system: '', silentMs: Infinity })).toBe('b');
});

it('repeats a write of the timeline that failed', async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file');
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const { knownTimeline } = process.servers;
    const remember = async (): Promise<number | undefined> => {
      knownTimeline.remember({ system: 'x', timeline: 2 });
      await knownTimeline.stored;
      return existsSync(join(folder, 'primary-timeline.json')) ? 2 : undefined;
    };
    expect(await remember()).toBeUndefined();
    rmSync(folder);
    expect(await remember()).toBeUndefined();
    jest.advanceTimersByTime(10_000);
    expect(await remember()).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});

it('uses another cluster only when the one of the last primary has vanished', () => {
  process.poll({ a: '5', b: '5s', c: '1 y' });
  const silent = { ...LAST, silentMs: FALLBACK_MS };
  expect(process.poll({ c: '1 y' })).toBe('a');
  expect(process.poll({ b: '5s', c: '1 y' }, silent)).toBe('a');
  expect(process.poll({ c: '1 y' }, silent)).toBe('c');
});
