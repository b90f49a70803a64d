import { isRenderable } from './formula-limits';

/** `x` in nested arguments. */
const nested = (before: string, after: string, depth: number): string =>
  `${before.repeat(depth)}x${after.repeat(depth)}`;

describe('formulas that are rendered', () => {
  it.each([
    'a^2 + b^2 = c^2',
    nested('\\frac{1}{1+', '}', 6),
    nested('\\sqrt{', '}', 20),
    '\\left[\\begin{pmatrix} a_{1} & b \\\\[2pt] c & d \\end{pmatrix}\\right)^{-1} [0, 1)',
    '\\begin{bmatrix} \\begin{matrix} 1 & \\frac{a}{b} \\end{matrix} \\end{bmatrix}',
    Array(8).fill('\\frac{\\cancelto{1}{a}}{\\cancelto{b^{2}}{c}}').join('+'),
    '\\cancelto{0}{\\ce{^{227}_{90}Th+}}',
    '\\ce{H2O}',
    '\\ce{^{227}_{90}Th+}',
    '\\ce{[Fe(CN)6]^{3-} <=>[{heat}][H2SO4] SO4^{2-} + [AgCl2]- + [CrO4]^2-}',
    '\\ce{Zn^2+ <=>[+ 2OH-] $\\underset{\\text{solid}}{\\ce{Zn(OH)2 v}}$}',
    '\\pu{123 J s-1}',
    '50\\% \\{ {a} \\}',
    '0 \\le t \\ll ap',
    'cafe\u0301 =\u0338',
    '\\pdv{f}{x,y} \\ll a \\pdv*{f}{x} \\alpha x',
    '\\set{x | \\lvert x \\rvert} \\Braket{a|b}',
    '\\|x\\| + \\{ x \\}',
  ])('%s', (formula) => {
    expect(isRenderable(formula)).toBe(true);
  });
});

describe('formulas that stay source text', () => {
  it.each([
    ['\\cancelto{a}{', '}'],
    ['\\equilibriumRight{', '}'],
    ['\\equilibriumLeft[{', '}]{y}'],
    ['\\llap{', '}'],
    ['\\mathllap{', '}'],
    ['\\ce{<=>>[', ']}'],
    ['\\ce{<<=>[', ']}'],
  ])('more than three nested: %s%s', (before, after) => {
    expect(isRenderable(nested(before, after, 2))).toBe(true);
    expect(isRenderable(nested(before, after, 4))).toBe(false);
  });

  it.each([
    ['<=>>[', ']'],
    ['<<=>[', ']'],
    ['^{', '}_{2}A'],
    ['_{', '}^{2}A'],
    ['^{', '}{a}'],
    ['_{', '}{a}'],
  ])('more than three nested in chemistry: %s%s', (before, after) => {
    expect(isRenderable(`\\ce{${nested(before, after, 3)}}`)).toBe(true);
    expect(isRenderable(`\\ce{${nested(before, after, 4)}}`)).toBe(false);
    expect(isRenderable(`\\pu {${nested(before, after, 4)}}`)).toBe(false);
  });

  it.each([
    ['different commands', '\\llap{\\cancelto{a}{\\ce{^{^{x}{a}}{a}}}}'],
    ['groups between', nested('\\frac{\\cancelto{a}{', '}}{2}', 4)],
    ['environments between', nested('\\llap{\\begin{matrix}', '\\end{matrix}}', 4)],
    ['other openings', nested('\\llap\\bgroup ', '\\egroup ', 4)],
    ['ends in comments', nested('\\llap{%}\n', '}', 4)],
    ['ends in comments, spaced', nested('\\llap {{} %}}}\n', '}', 4)],
    ['verbatim ends', nested('\\llap{\\verb|}|', '}', 4)],
    ['escaped ends', nested('\\llap{\\}\\\\\\}', '}', 4)],
    ['brackets that end', nested('\\ce{^{]', '}{a}}', 4)],
    ['commands whose braces are removed', nested('\\TextOrMath{}{\\llap}{', '}', 4)],
    ['their arguments too', nested('\\odv*{\\cancelto{a}}{y}{', '}', 4)],
    ['braces removed twice', nested('\\TextOrMath{}{\\TextOrMath{}{\\llap}}{', '}', 4)],
    ['a command of chemistry without braces', `\\TextOrMath{}{\\ce}{${nested('^{', '}{a}', 4)}}`],
    ['ends with combining marks', nested('\\llap{\\TextOrMath{}\u0300}{}', '}', 4)],
    ['names that macros join', `\\pdv{f}{${nested('\\ll ap{', '}', 4)}}`],
    ['names that macros join twice', `\\pdv{f}{\\pdv{f}{${nested('\\l l ap{', '}', 4)}}}`],
    ['joined names with comments', `\\pdv{f}{${nested('\\ll%\nap{', '}', 4)}}`],
    ['braces that macros insert', '\\set{\\llap{\\|}x}}'],
    ['inserted braces with comments', '\\pdv{f}{\\Set{\\llap{\\%\n|}x}}'],
    ['a brace in a bracket', `\\ce{${nested('->[{]}', ']', 4)}}`],
  ])('nested with %s', (_, formula) => {
    expect(isRenderable(formula)).toBe(false);
  });

  it('groups more than 20 deep', () => {
    expect(isRenderable(nested('{', '}', 20))).toBe(true);
    expect(isRenderable(nested('{', '}', 21))).toBe(false);
  });

  it.each(['}', '{', ' ', '\\llap', '\\}', '%', '|'])('combining marks after %j', (before) => {
    expect(isRenderable(`{x}${before}\u0300`)).toBe(false);
  });

  it('combining marks in chemistry, whose parser moves characters', () => {
    expect(isRenderable('\\ce{A\u0300}')).toBe(false);
  });

  it('expansions in another order, which may join names', () => {
    const joined = nested('\\ll ap{', '}', 4);
    expect(isRenderable(`\\expandafter\\set\\expandafter{\\tmspace{1em${joined}}{}{}}`)).toBe(
      false,
    );
    expect(isRenderable('\\expandafter\\set{x}')).toBe(false);
  });

  it.each([
    '\\def\\a{x}',
    '\\pdv{f}{\\de f\\a{x}}',
    '\\newcommand{\\a}{x}',
    '\\let\\a\\llap',
    '\\gdef\\a{x}',
  ])('definitions: %s', (formula) => {
    expect(isRenderable(formula)).toBe(false);
  });

  it('internal commands, which read and define others', () => {
    expect(isRenderable('\\tag{\\llap{x}} \\df@tag')).toBe(false);
    expect(isRenderable('\\pdv{f}{\\tag{x} \\df @tag}')).toBe(false);
    expect(isRenderable('a \\\\ @ b')).toBe(true);
  });

  it('formulas that are too long', () => {
    expect(isRenderable('x'.repeat(1000))).toBe(true);
    expect(isRenderable('x'.repeat(1001))).toBe(false);
    expect(isRenderable(`\\ce{${'x'.repeat(296)}}`)).toBe(false);
  });
});
