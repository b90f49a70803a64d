import { until } from '../../test/e2e/process/until';
import { ClientPresence } from '../api/http/client-presence';
import { type FormulaPage, FormulaQueue, type Rendering } from './formula-queue';

const LIMITS = { pageMs: 200, waitMs: 60_000, textMs: 1000, windowMs: 60_000 };
const NEW = ['new1', 'new2', 'new3', 'new4', 'new5'];

/** Formulas that take 50 ms each. */
const EXPENSIVE = Array.from({ length: 20 }, (_, at) => `expensive${at}`);

/** Formulas in the order of their rendering. */
let order: string[];
beforeEach(() => {
  order = [];
});

const render = (source: string): Promise<Rendering> => {
  order.push(source);
  if (source === 'broken') throw new Error('broken');
  const ms = source.startsWith('expensive') ? 50 : 1;
  return Promise.resolve({ ms, hasFailed: source === 'too long' });
};

const page = (sources: Iterable<string>, more: Partial<FormulaPage> = {}): FormulaPage => ({
  sources,
  text: 'new',
  address: '192.0.2.1',
  ...more,
});

/** A rendering that ends when the test ends it. */
function suspended(): { render: () => Promise<Rendering>; end: () => void } {
  let end = (): void => undefined;
  const rendering = new Promise<Rendering>((resolve) => {
    end = () => resolve({ ms: 1, hasFailed: false });
  });
  return { render: () => rendering, end: () => end() };
}

describe('pages with new formulas wait for one formula alone', () => {
  it.each<[string, (at: number) => Partial<FormulaPage>]>([
    ['one text and address', () => ({ text: 'expensive', address: '192.0.2.9' })],
    ['one text of many addresses', (at) => ({ text: 'expensive', address: `198.51.100.${at}` })],
    ['many texts of one address', (at) => ({ text: `expensive ${at}`, address: '192.0.2.9' })],
    ['one text of the same address', () => ({ text: 'expensive' })],
  ])('of other pages with %s', async (_, more) => {
    const queue = new FormulaQueue(render, LIMITS);
    const others = Array.from({ length: 30 }, (__, at) =>
      queue.renderPage(page(EXPENSIVE, more(at))),
    );
    await queue.renderPage(page(NEW));
    expect(order.slice(0, 1 + NEW.length)).toEqual([EXPENSIVE[0], ...NEW]);
    await Promise.all(others);
  });
});

it('a page without formulas to render does not wait', async () => {
  const { render: never } = suspended();
  const queue = new FormulaQueue(never, LIMITS);
  void queue.renderPage(page(EXPENSIVE));
  await queue.renderPage(page([]));
  expect(queue.length).toBe(0);
});

it('a page renders formulas until it has used its time', async () => {
  const queue = new FormulaQueue(render, LIMITS);
  await queue.renderPage(page(EXPENSIVE));
  expect(order).toEqual(EXPENSIVE.slice(0, 5));
});

it('a text renders formulas until it has used its time, and again some time later', async () => {
  const queue = new FormulaQueue(render, { ...LIMITS, pageMs: 0, textMs: 100, windowMs: 1 });
  await Promise.all(EXPENSIVE.map((source) => queue.renderPage(page([source]))));
  expect(order.length).toBeLessThan(EXPENSIVE.length);
  await until(async () => {
    await queue.renderPage(page(['later']));
    return order.includes('later');
  });
});

it('a formula that takes too much ends the pages with its text alone', async () => {
  const queue = new FormulaQueue(render, LIMITS);
  const sources = ['too long', ...NEW];
  const pages = Array.from({ length: 3 }, () => queue.renderPage(page(sources, { text: 'long' })));
  await Promise.all([...pages, queue.renderPage(page(sources, { text: 'long' }))]);
  expect(order).toEqual(['too long']);
  await queue.renderPage(page(NEW));
  expect(order).toEqual(['too long', ...NEW]);
});

it('a page gives up its turn when its client leaves', async () => {
  const { render: first, end } = suspended();
  const queue = new FormulaQueue(first, LIMITS);
  const running = queue.renderPage(page(['x']));
  const presence = new ClientPresence();
  const left = queue.renderPage(page(NEW, { presence }));
  expect(queue.length).toBe(1);
  presence.leave();
  await left;
  expect(queue.length).toBe(0);
  await queue.renderPage(page(NEW, { presence }));
  end();
  await running;
});

it('a page renders no more formulas after its client has left', async () => {
  const presence = new ClientPresence();
  const queue = new FormulaQueue((source) => {
    presence.leave();
    return render(source);
  }, LIMITS);
  await queue.renderPage(page(NEW, { presence }));
  expect(order).toEqual(['new1']);
});

it('a page waits for others until the time limit', async () => {
  const { render: first, end } = suspended();
  const queue = new FormulaQueue(first, { ...LIMITS, waitMs: 1 });
  const running = queue.renderPage(page(['x']));
  await queue.renderPage(page(NEW));
  expect(queue.length).toBe(0);
  end();
  await running;
});

it('pages end without a thread, and after errors, which are of one page', async () => {
  const unavailable = new FormulaQueue(() => Promise.resolve(undefined), LIMITS);
  await Promise.all([unavailable.renderPage(page(NEW)), unavailable.renderPage(page(NEW))]);
  const queue = new FormulaQueue(render, LIMITS);
  const broken = queue.renderPage(page(['broken'], { text: 'broken' }));
  const following = queue.renderPage(page(NEW));
  await expect(broken).rejects.toThrow('broken');
  await following;
  expect(order).toEqual(['broken', ...NEW]);
});
