import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { copyString } from '../api/http/copy-string';
import { loadTemml } from '../config/packages';
import { decodeEntities } from '../text/entities';

/** Maximum length of a formula that is rendered; a longer one is shown as its source. */
const MAX_FORMULA = 1000;

/** The same for formulas of chemistry and units, whose parser takes ten times as long. */
const MAX_CHEMISTRY = 300;

/** Maximum number of formulas that are rendered in one text. */
const MAX_FORMULAS = 200;

/** Maximum characters of the MathML of a formula, and of all formulas of a text. */
const MAX_OUTPUT = 50_000;
const MAX_OUTPUT_OF_TEXT = 500_000;

/**
 * Milliseconds of rendering for one page. Further formulas are shown as source until they are in
 * memory: the next page with the text renders them.
 */
const MAX_MS = 200;

/** Maximum characters of rendered formulas in memory. */
const MEMORY = 8_000_000;

/**
 * Commands that define others. A definition makes a short formula arbitrarily long: `maxExpand`
 * limits the number of expansions, not their size.
 */
const DEFINITION =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;

const CHEMISTRY = /\\(?:ce|pu)(?![a-zA-Z])/;

/** A formula of `renderHtml`, whose source is escaped. */
const FORMULA = /<code class="tex">([^<]*)<\/code>/g;

/** MathML by the escaped source of a formula; empty for a formula that stays source text. */
const rendered = new LRUCache<string, string>({
  maxSize: MEMORY,
  sizeCalculation: (math, source) => math.length + source.length + 100,
});

/** The MathML of a formula; empty for one that stays source text. */
function render(formula: string): string {
  const longest = CHEMISTRY.test(formula) ? MAX_CHEMISTRY : MAX_FORMULA;
  if (formula.length > longest || DEFINITION.test(formula)) return '';
  try {
    const math = loadTemml()
      .renderToString(formula, { trust: false, throwOnError: true, maxExpand: 100 })
      .replace(/ style="[^"<>]*"/g, '');
    return math.length > MAX_OUTPUT ? '' : math;
  } catch {
    return '';
  }
}

/** Renders formulas that are not in memory, one for each turn of the event loop. */
async function renderMissing(sources: Iterable<string>): Promise<void> {
  let spent = 0;
  for (const source of sources) {
    if (rendered.has(source)) continue;
    if (spent > MAX_MS) return;
    const startedAt = performance.now();
    rendered.set(copyString(source), render(decodeEntities(source)));
    spent += performance.now() - startedAt;
    await nextTurn();
  }
}

/**
 * Renders the formulas of a text as MathML, which browsers show without style sheet and font. Style
 * attributes are removed: the content security policy forbids them. Formulas with errors or
 * definitions, and those beyond the limits, stay source text.
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
