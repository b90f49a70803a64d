import { Command, CommandRunner, type CommandTree } from './support/command';
import { commandTrees } from './support/command-tree';
import { choiceOption } from './support/options';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type ShellName = (typeof SHELLS)[number];

/** The long name of an option in the notation of commander: `--out` of `-o, --out <file>`. */
const longFlag = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? '';

const takesValue = (flags: string): boolean => /[<[]/.test(flags);

/** A command of the tree with the words that lead to it. */
interface Completed {
  readonly path: string;
  readonly tree: CommandTree;
}

/** All commands and their subcommands. */
const completed = (): Completed[] =>
  commandTrees().flatMap((tree) => [
    { path: tree.name, tree },
    ...tree.subCommands.map((one) => ({ path: `${tree.name} ${one.name}`, tree: one })),
  ]);

/** The words for each positional argument, `file` where it is a file; empty for other texts. */
function argumentsOf({ arguments: declared = '', values = {} }: CommandTree): string[] {
  return [...declared.matchAll(/[<[]([\w-]+)(\.\.\.)?[>\]]/g)].map(([, name = '']) => {
    const words = values[name]?.join(' ') ?? '';
    return words === '' && /^(?:files?|path)$/.test(name) ? FILE : words;
  });
}

/** Stands for the names of files in the lists of words. */
const FILE = '<file>';

/** Cases of a shell: the words for the last and all later positions are those of `[files...]`. */
function valueCases(all: readonly Completed[]): string[] {
  return all.flatMap(({ path, tree }) => {
    if (tree.subCommands.length > 0)
      return [`    '${path}:0') words='${tree.subCommands.map(({ name }) => name).join(' ')}' ;;`];
    const isRepeated = tree.arguments?.includes('...') ?? false;
    const words = argumentsOf(tree);
    return words.flatMap((choices, at) => {
      const position = isRepeated && at === words.length - 1 ? '*' : at;
      return choices === '' ? [] : [`    '${path}:'${position}) words='${choices}' ;;`];
    });
  });
}

/** Cases of a shell for the values of options; `file` for those that name one. */
const optionCases = (all: readonly Completed[]): string[] =>
  all.flatMap(({ path, tree }) =>
    tree.options
      .filter(({ flags }) => takesValue(flags))
      .map(({ flags, choices }) => {
        const words = choices?.join(' ') ?? (/<(?:file|folder)>/.test(flags) ? FILE : '');
        return `    '${path}:${longFlag(flags)}') words='${words}' ;;`;
      }),
  );

const flagCases = (all: readonly Completed[]): string[] =>
  all.map(({ path, tree }) => {
    const flags = tree.options.map((option) => longFlag(option.flags));
    return `    '${path}') flags='${[...flags, '--help', '--json'].join(' ')}' ;;`;
  });

/**
 * The function follows the words before the cursor: the command and subcommand, then the number of
 * positional arguments. Values of options are no arguments.
 */
function bash(): string {
  const all = completed();
  const names = commandTrees().map(({ name }) => name);
  const withValue = all.flatMap(({ tree }) =>
    tree.options.filter(({ flags }) => takesValue(flags)).map(({ flags }) => longFlag(flags)),
  );
  return `_commonplace() {
  local path='' words='' flags='--help --version --json' position=0 index word next
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      ${[...new Set(withValue)].join('|')}) index=$((index + 1)); continue ;;
      -*) continue ;;
    esac
    next="\${path:+$path }$word"
    case "$next" in
      ${all.map(({ path }) => `'${path}'`).join('|')}) path="$next" position=0 ;;
      *) position=$((position + 1)) ;;
    esac
  done
  case "$path" in
${flagCases(all).join('\n')}
  esac
  case "$path:$position" in
    ':0') words='${[...names, 'help'].join(' ')}' ;;
${valueCases(all).join('\n')}
  esac
  [[ $current != -* ]] || words="$flags"
  case "$path:$previous" in
${optionCases(all).join('\n')}
    *) [[ -n $words ]] || words="$flags" ;;
  esac
  if [[ $words == '${FILE}' ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -F _commonplace commonplace
`;
}

const zsh = (): string => `#compdef commonplace
autoload -U +X bashcompinit && bashcompinit
${bash()}`;

/** Whether the words before the cursor, without options, are a command and a number of arguments. */
const FISH_FUNCTION = `function __commonplace_at
  set -l words (string match -v -- '-*' (commandline -opc))[2..-1]
  set -l path (string split ' ' $argv[1])
  test (count $words) -eq (math (count $path) + $argv[2])
  and test "$words[1..(count $path)]" = "$argv[1]"
end
`;

function fish(): string {
  const lines = completed().flatMap(({ path, tree }) => [
    ...tree.subCommands.map(
      (one) =>
        `complete -c commonplace -f -n "__commonplace_at '${path}' 0" -a ${one.name} -d '${quote(one.description)}'`,
    ),
    ...argumentsOf(tree).flatMap((words, at) =>
      words === '' || words === FILE
        ? []
        : [`complete -c commonplace -f -n "__commonplace_at '${path}' ${at}" -a '${words}'`],
    ),
    ...tree.options.map(({ flags, choices }) => {
      const [command = '', subcommand] = path.split(' ');
      const seen = [command, ...(subcommand === undefined ? [] : [subcommand])]
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and ');
      const value = choices ? ` -xa '${choices.join(' ')}'` : takesValue(flags) ? ' -r' : '';
      return `complete -c commonplace -n '${seen}' -l ${longFlag(flags).slice(2)}${value}`;
    }),
  ]);
  const first = commandTrees().map(
    ({ name, description }) =>
      `complete -c commonplace -f -n __fish_use_subcommand -a ${name} -d '${quote(description)}'`,
  );
  const always =
    'complete -c commonplace -l help -l json\ncomplete -c commonplace -n __fish_use_subcommand -l version\n';
  return `${FISH_FUNCTION}${always}${[...first, ...lines].join('\n')}\n`;
}

const quote = (text: string): string => text.replace(/['\\]/g, '\\$&');

const SCRIPTS: Readonly<Record<ShellName, () => string>> = { bash, zsh, fish };

@Command({
  name: 'completion',
  arguments: '<shell>',
  values: { shell: SHELLS },
  description: 'print the completion script of a shell: bash, zsh or fish',
  help:
    'Setup:\n' +
    '  bash: source <(commonplace completion bash)\n' +
    '  zsh:  source <(commonplace completion zsh)\n' +
    '  fish: commonplace completion fish > ~/.config/fish/completions/commonplace.fish',
})
export class CompletionCommand extends CommandRunner {
  run([shell = '']: string[]): Promise<void> {
    process.stdout.write(SCRIPTS[choiceOption('shell', shell, SHELLS)]());
    return Promise.resolve();
  }
}
