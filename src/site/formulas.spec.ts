import { renderHtml } from '../text/markup';
import { withFormulas } from './formulas';

const CONTEXT = { baseUrl: '', webUrl: '', sign: (path: string) => path };
const markupOf = (formula: string): string => renderHtml(`<tex>${formula}</tex>`, {}, CONTEXT);
const BOMB = `${'\\cancelto{a}{'.repeat(40)}x${'}'.repeat(40)}`;

it.each([
  'x^2',
  'a < b',
  `${'\\frac{1}{1+'.repeat(6)}x${'}'.repeat(6)}`,
  '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
  '\\ce{H2O}',
  '\\ce{^{227}_{90}Th+}',
  '\\cancelto{0}{x}',
])('is shown as MathML, also from memory: %s', async (formula) => {
  const first = await withFormulas(markupOf(formula));
  expect(first).toMatch(/^<math.+<\/math>$/s);
  expect(first).not.toContain('style=');
  await expect(withFormulas(markupOf(formula))).resolves.toBe(first);
});

it('formulas that stay source text do not keep the others from being shown', async () => {
  const markup = [BOMB, '\\frac{', '\\def\\a{x}\\a', 'y^2'].map(markupOf);
  const math = await withFormulas(markupOf('y^2'));
  expect(math).toMatch(/^<math/);
  await expect(withFormulas(markup.join(' '))).resolves.toBe(
    [...markup.slice(0, 3), math].join(' '),
  );
});

it('texts at the same time show the same', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => markupOf(`z^{${at % 4}}`));
  const shown = await Promise.all(texts.map(withFormulas));
  for (const math of shown) expect(math).toMatch(/^<math/);
  expect(new Set(shown).size).toBe(4);
});
