import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const findings = (options: object): string => `axe.run(document, ${JSON.stringify(options)})
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
    id + ': ' + html.slice(0, 200) + ' ' + any.map(({ message }) => message).join('; '))))`;

/** @param rules the rules to check; all if absent */
function check(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const runOnly = rules && { type: 'rule', values: rules };
  return page.evaluate<string[]>(
    findings({ resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
  );
}

/** The rules about colours, which alone depend on the colour scheme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

export type ColorScheme = 'light' | 'dark';

/**
 * What axe-core finds in both colour schemes on the present page, which is shown in `colorScheme`:
 * rule, element and reason; empty on an accessible page. All rules apply to this scheme, and those
 * about colours, which alone depend on it, to the other one.
 */
export async function schemeViolations(
  page: Page,
  colorScheme: ColorScheme,
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await check(page);
  const other = colorScheme === 'light' ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme: other });
  const inOther = await check(page, COLOURS);
  await page.emulateMedia({ colorScheme });
  return [...found, ...inOther.map((violation) => `${other}: ${violation}`)];
}
