import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
    id + ': ' + html.slice(0, 200) + ' ' + any.map(({ message }) => message).join('; '))))`;

/** What axe-core finds on the present page: rule, element and reason. Empty on an accessible page. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(RUN);
}
