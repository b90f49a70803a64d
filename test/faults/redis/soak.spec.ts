import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { usageOf, type Usage } from '../../attacks/target';
import { flat } from '../../factories/pictures';
import { atScale, figure } from '../../figures';
import { RedisServer } from '../../redis/redis-server';
import { Collectors } from '../collectors';
import { Scene } from '../scene';

/** Minutes of load. `SOAK_MINUTES` sets another duration; `docs/guarantees.md` states 10. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? atScale(3, 0.3));

const WRITERS = 20;
const READERS = 10;
const UPLOADERS = 3;
const BOOKS = 30_000;
/** Writes that must succeed after each fault before the next one. */
const BETWEEN = 50;
/** MB and descriptors that a server may hold more after the load than after its first fifth. */
const GROWTH = { memory: 100, descriptors: 30 };

/** Repeats requests until it is stopped. */
class Load {
  /** How often each status was the response; 0 where there was none. */
  readonly statuses: Record<number, number> = {};
  private stopped = false;
  private readonly workers: Promise<unknown>;

  constructor(workers: number, request: (at: number) => Promise<number>) {
    this.workers = Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        for (let at = worker; !this.stopped; at += workers) {
          const status = await request(at).catch(() => 0);
          this.statuses[status] = (this.statuses[status] ?? 0) + 1;
          if (status === 0 || status >= 500) await pause(20);
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.workers;
  }
}

let redis: RedisServer;
let scene: Scene;
let pictures: string;
beforeAll(async () => {
  redis = await RedisServer.open();
  pictures = await mkdtemp(join(tmpdir(), 'commonplace-soak-'));
  // Users of a soak write more than a challenge would let them.
  const settings = { CAPTCHA_AFTER: '0', PICTURES_DIR: pictures };
  scene = await Scene.open({ ...settings, REDIS_URL: redis.url });
}, 600_000);
afterAll(async () => {
  await scene.close();
  await redis.kill();
  await rm(pictures, { recursive: true, force: true });
});

const READS = [
  (book: number) => `/v2/book/${book}`,
  (book: number) => `/v2/book/${book}/annotations?format=html`,
  (book: number) => `/v2/book/${book}/tags`,
  () => '/v2/book/search?q=Book&count=20',
  () => '/v2/movie/top250',
  () => '/v2/event/list',
  () => '/v2/nothing',
];

/** Faults in the order in which they happen; each is over when its promise is settled. */
const faults = (): readonly (readonly [name: string, fault: () => Promise<void>])[] => {
  const { postgres } = scene;
  return [
    ['PostgreSQL restarts', () => postgres.down('fast').then(() => postgres.up())],
    ['Redis is killed', () => redis.kill().then(() => redis.start())],
    ['PostgreSQL crashes', () => postgres.down('immediate').then(() => postgres.up())],
    ['a session is killed', () => postgres.crashSession().then(() => postgres.ready())],
    [
      'PostgreSQL is frozen',
      async () => {
        await postgres.freeze();
        await pause(2000);
        postgres.thaw();
      },
    ],
    [
      'Redis is frozen',
      async () => {
        redis.hang();
        await pause(2000);
        redis.goOn();
      },
    ],
    [
      'the primary is demoted',
      async () => {
        await postgres.demote();
        await pause(2000);
        await postgres.promote();
      },
    ],
  ];
};

it('serves reads, writes and uploads through a fault of each kind', async () => {
  const people = await scene.people(WRITERS + UPLOADERS, BOOKS);
  const image = await flat(600, 400).jpeg().toBuffer();
  const pid = Number(scene.server.program.child.pid);
  const writers = new Collectors(scene, people.tokens.slice(0, WRITERS), people.books);
  const readers = new Load(READERS, async (at) => {
    const path = READS[at % READS.length]?.(people.books[at % 500] ?? 0) ?? '';
    return (await scene.call(path)).status;
  });
  const uploads = new Load(UPLOADERS, async (at) => {
    const token = people.tokens[WRITERS + (at % UPLOADERS)];
    const body = new FormData();
    body.set('content', 'A long enough annotation with a picture <图片1>');
    body.set('page', '1');
    body.set('1', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'x.jpg');
    const path = `/v2/book/${people.books[at % 500]}/annotations`;
    return (await scene.call(path, { method: 'POST', token, body })).status;
  });
  const phase = (MINUTES * 60_000) / (faults().length + 2);
  const usages: Usage[] = [];

  await pause(phase);
  usages.push(await usageOf(pid));
  for (const [name, fault] of faults()) {
    await fault();
    figure(`soak: s until writes succeed (${name})`, await writers.succeed(BETWEEN), {
      atMost: 30,
    });
    await pause(phase);
  }
  await Promise.all([writers.stop(), readers.stop(), uploads.stop()]);
  usages.push(await usageOf(pid));

  const seen = [writers.statuses, readers.statuses, uploads.statuses].flatMap(Object.keys);
  // Duplicates return 409, and unavailable services 503. No response is 500, and no connection is
  // lost.
  const expected = ['200', '201', '404', '409', '503'];
  expect([...new Set(seen)].filter((status) => !expected.includes(status))).toEqual([]);
  expect(Object.keys(uploads.statuses)).toContain('201');
  expect(await writers.lost()).toEqual([]);
  expect(scene.isAlive).toBe(true);
  const check = await scene.command(['recount', '--check']);
  expect([check.code, check.stderr]).toEqual([0, '']);

  const [before, after] = usages as [Usage, Usage];
  const { memory, descriptors } = GROWTH;
  figure('soak: MB more', after.memory - before.memory, { atMost: memory });
  figure('soak: descriptors more', after.descriptors - before.descriptors, { atMost: descriptors });
}, 1_800_000);
