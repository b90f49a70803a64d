import { LRUCache } from 'lru-cache';
import { Semaphore } from '../api/body/semaphore';
import { copyString } from '../api/http/copy-string';
import { decodeEntities } from '../text/entities';
import { isRenderable } from './formula-limits';
import { FormulaThread } from './formula-thread';

/** Maximum number of formulas that are rendered in one text. */
const MAX_FORMULAS = 200;

/** Maximum characters of the MathML of all formulas of a text. */
const MAX_OUTPUT_OF_TEXT = 500_000;

/**
 * Milliseconds of rendering for one page. Further formulas are shown as source until they are in
 * memory: the next page with the text renders them.
 */
const MAX_MS = 200;

/** Milliseconds that a page waits while formulas of other pages are rendered. */
const MAX_WAIT_MS = 2000;

/** Milliseconds until a formula that ended the thread is rendered again. */
const RETRY_MS = 3_600_000;

/** Maximum characters of rendered formulas in memory. */
const MEMORY = 8_000_000;

/** A formula of `renderHtml`, whose source is escaped. */
const FORMULA = /<code class="tex">([^<]*)<\/code>/g;

/** MathML by the escaped source of a formula; empty for a formula that stays source text. */
const rendered = new LRUCache<string, string>({
  maxSize: MEMORY,
  sizeCalculation: (math, source) => math.length + source.length + 100,
});

const thread = new FormulaThread();

/** One formula is rendered at a time. */
const turns = new Semaphore(1);

/**
 * Renders a formula that is not in memory.
 * @param source escaped source of the formula
 * @returns milliseconds of rendering; undefined when no thread could be started
 */
async function renderSource(source: string): Promise<number | undefined> {
  // A page that waited for the same formula has it now.
  if (rendered.has(source)) return 0;
  const result = await thread.render(decodeEntities(source));
  if (!result) return undefined;
  const { math, ms, hasEnded } = result;
  rendered.set(copyString(source), math, hasEnded ? { ttl: RETRY_MS } : {});
  return ms;
}

/** Renders formulas that are not in memory, within the time for one page. */
async function renderMissing(sources: readonly string[]): Promise<void> {
  const isOver = AbortSignal.timeout(MAX_WAIT_MS);
  let spent = 0;
  for (const source of sources) {
    const endTurn = await turns.acquire(1, isOver).catch(() => undefined);
    const ms = endTurn && (await renderSource(source).finally(endTurn));
    spent += ms ?? Infinity;
    if (spent > MAX_MS) return;
  }
}

/** Whether a formula is neither in memory nor one that stays source text. */
function isMissing(source: string): boolean {
  if (rendered.has(source)) return false;
  if (isRenderable(decodeEntities(source))) return true;
  rendered.set(copyString(source), '');
  return false;
}

/**
 * Renders the formulas of a text as MathML, which browsers show without style sheet and font. Style
 * attributes are removed: the content security policy forbids them. Formulas with errors, those
 * that `isRenderable` refuses, and those beyond the limits stay source text.
 *
 * @param markup HTML of `renderHtml`
 */
export async function withFormulas(markup: string): Promise<string> {
  const sources = new Set([...markup.matchAll(FORMULA)].map(([, source]) => String(source)));
  if (sources.size === 0) return markup;
  const missing = [...sources].slice(0, MAX_FORMULAS).filter(isMissing);
  if (missing.length > 0) await renderMissing(missing);
  let length = 0;
  let count = 0;
  return markup.replace(FORMULA, (element, source: string) => {
    const math = rendered.get(source) ?? '';
    count += 1;
    length += math.length;
    const isShown = math !== '' && count <= MAX_FORMULAS && length <= MAX_OUTPUT_OF_TEXT;
    return isShown ? math : element;
  });
}
