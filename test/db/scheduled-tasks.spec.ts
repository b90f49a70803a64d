import { EventEmitter, once } from 'node:events';
import { Logger } from '@nestjs/common';
import { ENTITIES } from '../../src/server/entities';
import { makeDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';
import { ScheduledTask } from '../../src/database/scheduled-task';
import { TaskScheduler, TaskTimes } from '../../src/database/task-scheduler';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';

let opened: TestDatabase;
let runs: string[];
let instances: Instance[];
/** Emits the name of a task that starts, and of a task that is aborted. */
let events: EventEmitter;

beforeAll(() => {
  Logger.overrideLogger(false);
});
beforeEach(async () => {
  opened = await openTestDatabase();
  runs = [];
  instances = [];
  events = new EventEmitter();
});
afterEach(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await opened.close();
});

type Work = (signal: AbortSignal) => Promise<void>;

class Task extends ScheduledTask {
  constructor(
    override readonly taskName: string,
    private readonly work: Work,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    runs.push(this.taskName);
    events.emit('begun', this.taskName);
    await this.work(signal);
  }
}

/** A process with its own connections and scheduler. */
interface Instance {
  readonly scheduler: TaskScheduler;
  stop(): Promise<void>;
}

const nothing: Work = () => Promise.resolve();

/** Long enough that it never comes to pass in a test. */
const NEVER = 3_600_000;

async function instance(
  tasks: Readonly<Record<string, Work>>,
  times: Partial<TaskTimes> = {},
): Promise<Instance> {
  const source = makeDataSource(testSettings(), opened.url, ENTITIES);
  await source.initialize();
  const scheduler = new TaskScheduler(
    new Database(source),
    Object.assign(new TaskTimes(), { lastMoment: 0 }, times),
  );
  for (const [name, work] of Object.entries(tasks)) scheduler.register(new Task(name, work));
  const made = {
    scheduler,
    stop: async () => {
      await scheduler.onModuleDestroy();
      if (source.isInitialized) await source.destroy();
    },
  };
  instances.push(made);
  return made;
}

/** Lets time pass: what was due then is due that much earlier. */
const pass = (minutes: number): Promise<unknown> =>
  opened.source.query(
    `UPDATE scheduled_tasks SET next_run_at = next_run_at - make_interval(mins => $1),
       lease_expires_at = lease_expires_at - make_interval(mins => $1)`,
    [minutes],
  );

/** Waits until no task is due or runs. */
async function succeeded(): Promise<void> {
  for (;;) {
    const rows = await opened.source.query<unknown[]>(
      'SELECT FROM scheduled_tasks WHERE next_run_at <= now() OR lease_owner IS NOT NULL',
    );
    if (rows.length === 0) return;
  }
}

/** Work that goes on until it is told to end, or asked to. */
function endless(): { work: Work; end: () => void } {
  let end: () => void = () => undefined;
  const work: Work = (signal) =>
    new Promise((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', () => {
        events.emit('aborted');
        reject(signal.reason as Error);
      });
    });
  return {
    work,
    end: () => {
      end();
    },
  };
}

it('run once for all processes, and again after an hour', async () => {
  const all = await Promise.all(
    [1, 2, 3, 4, 5].map(() => instance({ first: nothing, second: nothing })),
  );
  const ran = await Promise.all(all.map(({ scheduler }) => scheduler.runDue()));
  expect(ran.flat().sort()).toEqual(['first', 'second']);
  expect(runs.sort()).toEqual(['first', 'second']);
  await pass(59);
  expect((await Promise.all(all.map(({ scheduler }) => scheduler.runDue()))).flat()).toEqual([]);
  await pass(2);
  const again = await Promise.all(all.map(({ scheduler }) => scheduler.runDue()));
  expect(again.flat().sort()).toEqual(['first', 'second']);
});

it('run in a process that restarted before the hour has passed', async () => {
  for (let restart = 0; restart < 4; restart += 1) {
    const restarted = await instance({ task: nothing }, { firstLook: 0, betweenLooks: NEVER });
    const begun = restart % 2 === 0 ? once(events, 'begun') : undefined;
    // Due at first, then every second time: half an hour later, and another.
    if (begun) {
      restarted.scheduler.start();
      await begun;
      await succeeded();
    } else {
      expect(await restarted.scheduler.runDue()).toEqual([]);
    }
    await restarted.stop();
    await pass(31);
  }
  expect(runs).toEqual(['task', 'task']);
});

it('run one at a time', async () => {
  const long = endless();
  const [one, other] = [
    await instance({ a: long.work, b: nothing }),
    await instance({ a: long.work, b: nothing }),
  ];
  const begun = once(events, 'begun');
  const running = one.scheduler.runDue();
  await begun;
  expect(await other.scheduler.runDue()).toEqual([]);
  long.end();
  expect(await running).toEqual(['a', 'b']);
  expect(await other.scheduler.runDue()).toEqual([]);
});

it('are retried soon after a failure, and do not delay other tasks', async () => {
  let failing = true;
  const { scheduler } = await instance({
    a: () => (failing ? Promise.reject(new Error('no luck')) : Promise.resolve()),
    b: nothing,
  });
  expect(await scheduler.runDue()).toEqual(['a', 'b']);
  const [failed] = await opened.source.query<unknown[]>(
    `SELECT failures, last_error, last_succeeded_at FROM scheduled_tasks WHERE name = 'a'`,
  );
  expect(failed).toEqual({ failures: 1, last_error: 'no luck', last_succeeded_at: null });
  expect(await scheduler.runDue()).toEqual([]);
  await pass(6);
  expect(await scheduler.runDue()).toEqual(['a']);
  failing = false;
  await pass(6);
  expect(await scheduler.runDue()).toEqual(['a']);
  const [mended] = await opened.source.query<unknown[]>(
    `SELECT failures, last_error, last_succeeded_at > now() - interval '1 minute' AS now
     FROM scheduled_tasks WHERE name = 'a'`,
  );
  expect(mended).toEqual({ failures: 0, last_error: '', now: true });
  await pass(6);
  expect(await scheduler.runDue()).toEqual([]);
});

it('are resumed after the database was unavailable', async () => {
  await opened.source.query('ALTER TABLE scheduled_tasks RENAME TO elsewhere');
  const { scheduler } = await instance({ task: nothing }, { firstLook: 0, betweenLooks: 1 });
  const looked = jest.spyOn(scheduler, 'runDue');
  const begun = once(events, 'begun');
  scheduler.start();
  while (looked.mock.calls.length < 3) await new Promise(setImmediate);
  await opened.source.query('ALTER TABLE elsewhere RENAME TO scheduled_tasks');
  await begun;
  expect(runs).toEqual(['task']);
});

it('are taken over when the lease of a killed process expires', async () => {
  const killed = await instance({ task: () => new Promise(() => undefined) });
  const begun = once(events, 'begun');
  void killed.scheduler.runDue();
  await begun;
  const { scheduler } = await instance({ task: nothing, other: nothing });
  expect(await scheduler.runDue()).toEqual([]);
  await pass(3);
  expect((await scheduler.runDue()).sort()).toEqual(['other', 'task']);
});

it('run although the clock of the database was set back by a day', async () => {
  const killed = await instance({ done: nothing, task: () => new Promise(() => undefined) });
  const begun = new Promise<void>((resolve) => {
    events.on('begun', (name) => {
      if (name === 'task') resolve();
    });
  });
  void killed.scheduler.runDue();
  await begun;
  const { scheduler } = await instance({ done: nothing, task: nothing });
  await pass(-24 * 60);
  await opened.source.query(
    "UPDATE scheduled_tasks SET last_started_at = last_started_at + interval '1 day'",
  );
  expect((await scheduler.runDue()).sort()).toEqual(['done', 'task']);
  expect(await scheduler.runDue()).toEqual([]);
});

it('renew their lease while they run', async () => {
  const long = endless();
  const one = await instance({ task: long.work }, { betweenRenewals: 10 });
  const other = await instance({ task: nothing });
  const begun = once(events, 'begun');
  const running = one.scheduler.runDue();
  await begun;
  await pass(1);
  const renewed = async (): Promise<boolean> => {
    const [row] = await opened.source.query<{ renewed: boolean }[]>(
      `SELECT lease_expires_at > now() + interval '100 seconds' AS renewed FROM scheduled_tasks`,
    );
    return row?.renewed ?? false;
  };
  while (!(await renewed())) await new Promise(setImmediate);
  await pass(1);
  expect(await other.scheduler.runDue()).toEqual([]);
  long.end();
  expect(await running).toEqual(['task']);
});

it('are aborted when another process takes over their lease', async () => {
  const one = await instance({ task: endless().work }, { betweenRenewals: 10 });
  const [begun, aborted] = [once(events, 'begun'), once(events, 'aborted')];
  const running = one.scheduler.runDue();
  await begun;
  await opened.source.query(
    `UPDATE scheduled_tasks SET lease_owner = gen_random_uuid(), next_run_at = now() + interval '1 h'`,
  );
  await aborted;
  expect(await running).toEqual(['task']);
  // Rows of the other process stay.
  const [row] = await opened.source.query<unknown[]>(
    'SELECT failures, lease_owner IS NOT NULL AS leased FROM scheduled_tasks',
  );
  expect(row).toEqual({ failures: 0, leased: true });
});

it('are aborted after the time limit, also when they ignore the signal', async () => {
  const { scheduler } = await instance(
    { a: () => new Promise(() => undefined), b: nothing },
    { longestRun: 10 },
  );
  expect(await scheduler.runDue()).toEqual(['a', 'b']);
  const [row] = await opened.source.query<unknown[]>(
    `SELECT failures, last_error FROM scheduled_tasks WHERE name = 'a'`,
  );
  expect(row).toEqual({ failures: 1, last_error: 'the task took too long' });
});

it('are left to another process when the process stops', async () => {
  const stopped = await instance({ task: endless().work });
  const begun = once(events, 'begun');
  const running = stopped.scheduler.runDue();
  await begun;
  await stopped.scheduler.onModuleDestroy();
  await running;
  const { scheduler } = await instance({ task: nothing });
  expect(await scheduler.runDue()).toEqual(['task']);
});

it('have unique names', async () => {
  const { scheduler } = await instance({ task: nothing });
  expect(() => {
    scheduler.register(new Task('task', nothing));
  }).toThrow('the task "task" is registered twice');
});
