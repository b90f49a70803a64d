import { Command, CommandRunner, type CommandTree } from './support/command';
import { commandTrees } from './support/command-tree';
import { choiceOption } from './support/options';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type ShellName = (typeof SHELLS)[number];

/** Words of a command line so far, and the words that may follow. */
interface Completion {
  readonly path: string;
  readonly words: readonly string[];
}

const longFlags = ({ options }: CommandTree): string[] =>
  options.flatMap(({ flags }) => /--[\w-]+/.exec(flags) ?? []);

/** Completions of all commands. */
function completions(): Completion[] {
  const trees = commandTrees();
  const below = trees.flatMap((tree) => [
    { path: tree.name, words: [...tree.subCommands.map(({ name }) => name), ...longFlags(tree)] },
    ...tree.subCommands.map((one) => ({ path: `${tree.name} ${one.name}`, words: longFlags(one) })),
  ]);
  const all = [{ path: '', words: trees.map(({ name }) => name) }, ...below];
  return all.map(({ path, words }) => ({ path, words: [...words, '--help', '--json'] }));
}

const cases = (): string =>
  completions()
    .map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`)
    .join('\n');

/** The completion takes the subcommand only for commands that have some. */
const bash = (): string => `_commonplace() {
  local path="" words="" index word
  for ((index = 1; index < COMP_CWORD && index < 3; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases()}
    *) words='' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _commonplace commonplace
`;

const zsh = (): string => `#compdef commonplace
autoload -U +X bashcompinit && bashcompinit
${bash()}`;

function fish(): string {
  const lines = commandTrees().flatMap((tree) => [
    `complete -c commonplace -n __fish_use_subcommand -a ${tree.name} -d '${quote(tree.description)}'`,
    ...tree.subCommands.map(
      (one) =>
        `complete -c commonplace -n '__fish_seen_subcommand_from ${tree.name}' ` +
        `-a ${one.name} -d '${quote(one.description)}'`,
    ),
    ...[...new Set([...longFlags(tree), ...tree.subCommands.flatMap(longFlags)])].map(
      (flag) =>
        `complete -c commonplace -n '__fish_seen_subcommand_from ${tree.name}' -l ${flag.slice(2)}`,
    ),
  ]);
  return `complete -c commonplace -l help -l json\n${lines.join('\n')}\n`;
}

const quote = (text: string): string => text.replace(/['\\]/g, '\\$&');

const SCRIPTS: Readonly<Record<ShellName, () => string>> = { bash, zsh, fish };

@Command({
  name: 'completion',
  arguments: '<shell>',
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
