import { loadTemml } from '../config/packages';
import { decodeEntities } from '../text/entities';

/** Maximum length of a formula that is rendered; a longer one is shown as its source. */
const MAX_FORMULA = 2000;

/** Maximum number of formulas that are rendered in one text. */
const MAX_FORMULAS = 200;

/** A formula of `renderHtml`, whose source is escaped. */
const FORMULA = /<code class="tex">([^<]*)<\/code>/g;

/**
 * Renders the formulas of a text as MathML, which browsers show without style sheet and font. Style
 * attributes are removed: the content security policy forbids them. Formulas with errors, and those
 * that are too long, stay source text.
 *
 * @param markup HTML of `renderHtml`
 */
export function withFormulas(markup: string): string {
  let rendered = 0;
  return markup.replace(FORMULA, (source, escaped: string) => {
    const formula = decodeEntities(escaped);
    if (formula.length > MAX_FORMULA || (rendered += 1) > MAX_FORMULAS) return source;
    try {
      const math = loadTemml().renderToString(formula, {
        trust: false,
        throwOnError: true,
        maxExpand: 100,
      });
      return math.replace(/ style="[^"<>]*"/g, '');
    } catch {
      return source;
    }
  });
}
