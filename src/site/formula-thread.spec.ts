import { until } from '../../test/e2e/process/until';
import { FormulaThread } from './formula-thread';

const nested = (before: string, after: string, depth: number): string =>
  `${before.repeat(depth)}x${after.repeat(depth)}`;

const IDLE_MS = 5000;

const SQUARE = expect.stringMatching(/^<math><msup>.+<\/math>$/) as string;

it.each([
  nested('\\cancelto{a}{', '}', 40),
  nested('\\equilibriumRight{', '}', 40),
  nested('\\llap{', '}', 60),
  `\\cancelto{a}{${nested('\\cancelto{a}{', '}', 9).replace('x', 'x^2'.repeat(200))}}`,
])('a formula that needs too much memory ends the thread alone: %#', async (formula) => {
  const thread = new FormulaThread();
  await expect(thread.render(formula)).resolves.toMatchObject({ math: '', hasEnded: true });
  await expect(thread.render('x^2')).resolves.toMatchObject({ math: SQUARE, hasEnded: false });
});

it('a formula that takes too long ends the thread alone', async () => {
  const long = 'x^2'.repeat(20_000);
  const patient = new FormulaThread(IDLE_MS, 60_000);
  await expect(patient.render(long)).resolves.toMatchObject({ hasEnded: false });
  const thread = new FormulaThread(IDLE_MS, 0);
  await expect(thread.render(long)).resolves.toMatchObject({ math: '', hasEnded: true });
  expect(thread.isRunning).toBe(false);
});

it('formulas with errors stay source text, and do not end the thread', async () => {
  const thread = new FormulaThread();
  for (const formula of ['\\frac{', '\\unknown', nested('{', '}', 20_000)]) {
    await expect(thread.render(formula)).resolves.toMatchObject({ math: '', hasEnded: false });
  }
});

it('the thread starts with the first formula, and ends without work', async () => {
  const thread = new FormulaThread(1);
  expect(thread.isRunning).toBe(false);
  await thread.render('x^2');
  await until(() => Promise.resolve(!thread.isRunning));
  await expect(thread.render('x^2')).resolves.toMatchObject({ math: SQUARE });
});
