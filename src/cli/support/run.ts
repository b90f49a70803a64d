import { COMMANDS } from '../commands';
import { runProgram } from './command';
import { helpProgram } from './command-tree';
import { requestJson } from './output';

/** Prints an error in one line. The detail of an `ApiError` is more exact than its message. */
function complain(error: Error & { readonly detail?: string }): void {
  process.stderr.write(`commonplace: ${error.detail ?? error.message}\n`);
  process.exitCode = 1;
}

/** Hidden aliases of former command names, for existing scripts. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  charts: 'chart',
  held: 'moderation',
  jobs: 'job',
  pictures: 'picture',
  words: 'word',
};

/** The arguments with the current name of the command, and whether `--json` was among them. */
function currentArguments(args: readonly string[]): { words: string[]; json: boolean } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = args.slice(0, end).filter((one) => one !== '--json');
  const json = options.length < end;
  const [command, ...rest] = [...options, ...args.slice(end)];
  if (command === undefined) return { words: [], json };
  return { words: [FORMER_NAMES[command] ?? command, ...rest], json };
}

const wantsHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  return options.includes('--help') || options.includes('-h');
};

async function runWords(words: readonly string[]): Promise<void> {
  const entry = COMMANDS.find(({ name }) => name === words[0]);
  const args = [...process.argv.slice(0, 2), ...words];
  if (entry && !wantsHelp(words)) await runProgram(entry.load(), args);
  else await helpProgram().parseAsync(args);
}

/** Runs the command of the process arguments and sets `process.exitCode`. */
export function runCommand(): Promise<void> {
  const { words, json } = currentArguments(process.argv.slice(2));
  requestJson(json);
  return runWords(words).catch(complain);
}
