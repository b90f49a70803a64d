import { errorText } from '../../api/errors/error-text';
import { exitWithoutHanging } from '../../process/exit-process';
import { COMMANDS } from '../commands';
import { runProgram } from './command';
import { helpProgram } from './command-tree';
import { isOutputClosed } from './closed-output';
import { requestJson } from './output';

// The build bundles this module. If the entry point imported the function from its
// own file, it would get a second copy of the state that commands read.
export { handleOutputErrors } from './closed-output';

/** Problems of files by the code of the system error. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'the file already exists',
  EISDIR: 'is a directory',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
};

/** System errors name their call. */
function messageOf(error: NodeJS.ErrnoException): string {
  const problem = FILE_PROBLEMS[error.code ?? ''];
  const isAboutFile = error.path !== undefined && !error.syscall?.startsWith('spawn');
  if (isAboutFile && problem !== undefined) return `${error.path}: ${problem}`;
  return errorText(error);
}

/** Prints an error in one line, unless standard output is closed. */
function printError(error: Error): void {
  if (isOutputClosed()) return;
  process.stderr.write(`commonplace: ${messageOf(error)}\n`);
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

/**
 * Runs the command of the process arguments and sets `process.exitCode`.
 * @returns false if it ended with an error, which is printed
 */
export async function runCommand(): Promise<boolean> {
  const { words, json } = currentArguments(process.argv.slice(2));
  requestJson(json);
  try {
    await runWords(words);
    return true;
  } catch (error) {
    printError(error as Error);
    return false;
  }
}

/**
 * Runs the command of the process arguments. After an error the process exits within about a second,
 * because a hanging folder, which may be the cause, would keep it alive.
 */
export async function runCommandAndExitOnError(): Promise<void> {
  if (!(await runCommand())) await exitWithoutHanging(Number(process.exitCode));
}
