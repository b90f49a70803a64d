import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { copyString } from '../api/http/copy-string';
import { currentRequest } from '../api/http/current-request';
import { decodeEntities } from '../text/entities';
import { isRenderable } from './formula-limits';
import { FormulaQueue, type Rendering } from './formula-queue';
import { FormulaThread } from './formula-thread';

/** Maximum number of formulas that are rendered in one text. */
const MAX_FORMULAS = 200;

/** Maximum characters of the MathML of all formulas of a text. */
const MAX_OUTPUT_OF_TEXT = 500_000;

/** Milliseconds until a formula or text that took too much time or memory is rendered again. */
const RETRY_MS = 300_000;

const LIMITS = {
  /**
   * Rendering for one page. Further formulas are shown as source until they are in memory: the next
   * page with the text renders them.
   */
  pageMs: 200,
  /** Longer than the rendering of any formula, for which a page may have to wait. */
  waitMs: 500,
  /** Enough for 100 of the most expensive formulas. */
  textMs: 5000,
  windowMs: RETRY_MS,
};

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

/**
 * Renders a formula, unless it is in memory.
 * @param source escaped source of the formula
 * @returns undefined when no thread could be started
 */
async function renderSource(source: string): Promise<Rendering | undefined> {
  // A page that waited for the same formula has it now.
  if (rendered.has(source)) return { ms: 0, hasFailed: false };
  const result = await thread.render(decodeEntities(source));
  if (!result) return undefined;
  const { math, ms, hasEnded } = result;
  rendered.set(copyString(source), math, hasEnded ? { ttl: RETRY_MS } : {});
  return { ms, hasFailed: hasEnded };
}

const queue = new FormulaQueue(renderSource, LIMITS);

/** Whether a formula is neither in memory nor one that stays source text. */
function isMissing(source: string): boolean {
  if (rendered.has(source)) return false;
  if (isRenderable(decodeEntities(source))) return true;
  rendered.set(copyString(source), '');
  return false;
}

/** Formulas that are not in memory, until the MathML of a text has its maximum. */
function* missingOf(sources: readonly string[]): Generator<string, void> {
  let length = 0;
  for (const source of sources) {
    if (isMissing(source)) yield source;
    length += rendered.get(source)?.length ?? 0;
    if (length > MAX_OUTPUT_OF_TEXT) return;
  }
}

/** Renders formulas of a text that are not in memory, within the limits. */
function renderMissing(sources: readonly string[]): Promise<void> {
  const request = currentRequest();
  return queue.renderPage({
    sources: missingOf(sources),
    text: createHash('sha256').update(sources.join('\0')).digest('base64'),
    address: request?.addressKey ?? '',
    presence: request?.presence,
  });
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
  await renderMissing([...sources].slice(0, MAX_FORMULAS));
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
