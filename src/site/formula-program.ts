import { parentPort } from 'node:worker_threads';
import { loadTemml } from '../config/packages';
import { type RenderedFormula } from './formula-messages';

/** Maximum characters of the MathML of a formula, and of what Temml returns for it. */
const MAX_OUTPUT = 50_000;
const MAX_STYLED_OUTPUT = 500_000;

const temml = loadTemml();

/** The MathML of a formula; empty for one that stays source text. */
function render(formula: string): string {
  try {
    const styled = temml.renderToString(formula, {
      trust: false,
      throwOnError: true,
      maxExpand: 100,
    });
    if (styled.length > MAX_STYLED_OUTPUT) return '';
    const math = styled.replace(/ style="[^"<>]*"/g, '');
    return math.length > MAX_OUTPUT ? '' : math;
  } catch {
    return '';
  }
}

parentPort?.on('message', (formula: string) => {
  const startedAt = performance.now();
  const math = render(formula);
  const response: RenderedFormula = { math, ms: performance.now() - startedAt };
  parentPort?.postMessage(response);
});

parentPort?.postMessage('ready');
