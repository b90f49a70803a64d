/** Flags of Node that load or resolve code. Others could bring settings, such as `--env-file`. */
const INHERITED_FLAGS = new Set(['--require', '-r', '--import', '--conditions', '-C']);

/** Those of the flags that the child process inherits, with their values. */
export const inheritedFlags = (flags: readonly string[]): string[] =>
  flags.flatMap((flag, at) => {
    const [name = ''] = flag.split('=');
    if (!INHERITED_FLAGS.has(name)) return [];
    return name === flag ? flags.slice(at, at + 2) : [flag];
  });

/** A flag in NODE_OPTIONS. In double quotes it may have spaces, and a backslash escapes. */
const FLAG = /(?:"(?:\\.|[^"\\])*"|[^" ])+/gs;

/** A part of a flag: in double quotes, or a character. */
const PART = /"((?:\\.|[^"\\])*)"|([^"])/gs;

const withoutQuotes = (flag: string): string =>
  flag.replace(PART, (_, quoted?: string, plain?: string) =>
    quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/gs, '$1'),
  );

/**
 * Splits the variable NODE_OPTIONS into flags as Node does (nodejs.org/api/cli.html).
 * @param options without an incomplete quoted part, with which Node does not start
 */
export const parseNodeOptions = (options: string): string[] =>
  (options.match(FLAG) ?? []).map(withoutQuotes).filter((flag) => flag !== '');

/** The variable NODE_OPTIONS that {@link parseNodeOptions} splits into the flags. */
export const formatNodeOptions = (flags: readonly string[]): string =>
  flags.map((flag) => `"${flag.replace(/["\\]/g, '\\$&')}"`).join(' ');
