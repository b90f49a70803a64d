/** Maximum length of a formula that is rendered. */
const MAX_FORMULA = 1000;

/** The same for formulas of chemistry and units, whose parser takes ten times as long. */
const MAX_CHEMISTRY = 300;

/** Maximum nesting of groups. */
const MAX_DEPTH = 20;

/**
 * Maximum nesting of groups that Temml renders two or three times. Each level multiplies the work on
 * what it contains.
 */
const MAX_REPEATED_DEPTH = 3;

/**
 * Commands that define others, or change the order of expansions. A definition makes a short formula
 * arbitrarily long: `maxExpand` limits the number of expansions, not their size. Both also hide names
 * of commands.
 */
const FORBIDDEN = [
  ...['def', 'edef', 'gdef', 'xdef', 'let', 'futurelet', 'global', 'long'],
  ...['newcommand', 'renewcommand', 'providecommand', 'expandafter', 'noexpand'],
];
const FORBIDDEN_COMMAND = new RegExp(`\\\\(?:${FORBIDDEN.join('|')})(?![a-zA-Z])`);

/** Names of commands that only macros of Temml use, which read and define others. */
const INTERNAL = /^\\[a-zA-Z]*@/;

/** Commands whose argument Temml parses as chemistry or units. */
const CHEMISTRY = new Set(['\\ce', '\\pu']);

/**
 * Commands whose last argument Temml 0.13 renders two or three times, with the number of groups that
 * are their arguments. Optional arguments may have any number. The last argument is a group.
 */
const REPEATING = new Map([
  ['\\cancelto', 2],
  ['\\equilibriumLeft', Infinity],
  ['\\equilibriumRight', Infinity],
  ['\\llap', Infinity],
  ['\\mathllap', Infinity],
]);

/** Tokens of Temml that have a meaning here; other characters have none. */
const TOKEN = /\\verb(?![a-zA-Z@])|\\[a-zA-Z@]+|\\[^]|[{}[\]%\n]/g;

/**
 * A combining mark that may change the token before it. Temml reads `}` with a mark as one token,
 * which does not end a group. Marks after letters, digits, `<`, `=`, `>` and characters beyond
 * ASCII are harmless, except after the name of a command, and in chemistry.
 */
const MARK = /[\u0300-\u036f]/;
const UNSAFE_MARK = /(?<![a-zA-Z0-9<=>\u0080-\uffff])[\u0300-\u036f]|\\[a-zA-Z@]+[\u0300-\u036f]/;

/** What Temml skips after the name of a command. */
const GAP = '(?:[ \\t\\r\\n]|%[^\\n]*\\n)';

/** Macros that insert braces in place of `|` in the text of their argument. */
const SPLITTING = ['Braket', 'Set', 'set'];
const SPLITS = new RegExp(`\\\\(?:${SPLITTING.join('|')})(?![a-zA-Z])`);

/** A backslash before `|`, which such a macro puts before an inserted brace: `\set{a\|b}`. */
const ESCAPED_BAR = new RegExp(`\\\\${GAP}*\\|`);

/** Names of commands that count here. */
const NAMES = [
  ...[...REPEATING.keys(), ...CHEMISTRY],
  ...[...FORBIDDEN, ...SPLITTING, 'bgroup', 'verb'].map((name) => `\\${name}`),
];

/** A macro that joins the tokens of an argument without gaps: `\ll ap` becomes `\llap`. */
const JOINING = /\\pdv(?![a-zA-Z])/;

/** The name of a command with the letters after it, and with gaps. */
const GAPPED_LETTERS = new RegExp(`\\\\[a-zA-Z](?:[a-zA-Z@]|${GAP})*`, 'g');
const GAPS = new RegExp(GAP, 'g');

/** Whether a formula has such a name, or an internal one, with gaps between its letters. */
function hasGappedName(formula: string): boolean {
  for (const [letters] of formula.matchAll(GAPPED_LETTERS)) {
    const joined = letters.replace(GAPS, '');
    if (INTERNAL.test(joined)) return true;
    const name = NAMES.find((one) => joined.startsWith(one));
    if (name !== undefined && !letters.startsWith(name)) return true;
  }
  return false;
}

const hasChemistry = (formula: string): boolean => /\\(?:ce|pu)(?![a-zA-Z])/.test(formula);

/** Whether Temml or its macros may read other tokens than the source seems to have. */
const changesTokens = (formula: string): boolean =>
  UNSAFE_MARK.test(formula) ||
  (hasChemistry(formula) && MARK.test(formula)) ||
  (SPLITS.test(formula) && ESCAPED_BAR.test(formula)) ||
  (JOINING.test(formula) && hasGappedName(formula));

/** A group of tokens, or the formula. */
interface Group {
  readonly opening: '{' | '[' | '';
  /** Number of groups around it, with it, that Temml may render repeatedly. */
  readonly repeatedDepth: number;
  /** Whether it is part of an argument of {@link CHEMISTRY}. */
  readonly isChemistry: boolean;
  /** Whether a command of {@link CHEMISTRY} was just before. */
  isBeforeChemistry: boolean;
  /** Whether it has a command of {@link REPEATING}, so that later groups may be its arguments. */
  hasRepeating: boolean;
  /** Number of later groups that are arguments of such a command, also if they are outside. */
  missing: number;
}

/** The group that begins in another. */
function groupIn(outer: Group, opening: '{' | '['): Group {
  const isRepeated = outer.hasRepeating || outer.isChemistry;
  return {
    opening,
    repeatedDepth: outer.repeatedDepth + (isRepeated ? 1 : 0),
    isChemistry: outer.isChemistry || outer.isBeforeChemistry,
    isBeforeChemistry: false,
    hasRepeating: false,
    missing: 0,
  };
}

/**
 * Reads a formula as Temml does, and in doubt as if its groups were nested more deeply: a group does
 * not end in a comment, or after `\verb`, whose end depends on the command around it.
 */
class NestingCheck {
  private readonly groups: Group[] = [];
  private group: Group = {
    opening: '',
    repeatedDepth: 0,
    isChemistry: false,
    isBeforeChemistry: false,
    hasRepeating: false,
    missing: 0,
  };
  private isComment = false;
  private hasVerbatim = false;

  /** Whether the nesting of a formula is within the limits. */
  accepts(formula: string): boolean {
    for (const [token] of formula.matchAll(TOKEN)) {
      if (!this.read(token)) return false;
    }
    return true;
  }

  private read(token: string): boolean {
    if (token === '\n') this.isComment = false;
    else if (token === '%') this.isComment = true;
    else if (token === '{' || token === '\\bgroup') return this.open('{');
    else if (token === '[') return !this.group.isChemistry || this.open('[');
    else if (token === '}' || token === ']') this.close(token === '}' ? '{' : '[');
    else return this.readCommand(token);
    return true;
  }

  private readCommand(name: string): boolean {
    if (INTERNAL.test(name)) return false;
    if (name === '\\verb') this.hasVerbatim = true;
    const groups = REPEATING.get(name);
    if (groups !== undefined) this.requireArguments(groups);
    if (CHEMISTRY.has(name)) this.group.isBeforeChemistry = true;
    return true;
  }

  private open(opening: '{' | '['): boolean {
    this.group.missing -= 1;
    this.groups.push(this.group);
    this.group = groupIn(this.group, opening);
    return this.groups.length <= MAX_DEPTH && this.group.repeatedDepth <= MAX_REPEATED_DEPTH;
  }

  private close(opening: '{' | '['): void {
    if (this.isComment || this.hasVerbatim) return;
    // Brackets may be unbalanced: `[0, 1)`. A brace ends them too.
    while (opening === '{' && this.group.opening === '[') this.leave();
    if (this.group.opening === opening) this.leave();
  }

  /** Macros may remove the braces of a command: `\TextOrMath{}{\llap}{x}` is `\llap{x}`. */
  private leave(): void {
    const { isBeforeChemistry, missing } = this.group;
    this.group = this.groups.pop() ?? this.group;
    this.group.isBeforeChemistry = isBeforeChemistry;
    if (missing > 0) this.requireArguments(missing);
  }

  private requireArguments(groups: number): void {
    this.group.hasRepeating = true;
    this.group.missing = Math.max(this.group.missing, groups);
  }
}

/**
 * Whether Temml renders a formula in bounded time. Others stay source text: those that are too long
 * or too deeply nested, those with definitions or internal commands, and those in which Temml may
 * read other tokens than this check.
 *
 * @param formula source of TeX
 */
export function isRenderable(formula: string): boolean {
  const maxLength = hasChemistry(formula) ? MAX_CHEMISTRY : MAX_FORMULA;
  if (formula.length > maxLength || FORBIDDEN_COMMAND.test(formula)) return false;
  if (changesTokens(formula)) return false;
  return new NestingCheck().accepts(formula);
}
