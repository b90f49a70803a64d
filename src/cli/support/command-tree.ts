import { Command as Program, Option as ProgramOption } from 'commander';
import { COMMAND_GROUPS, COMMANDS } from '../commands';
import TREE from '../command-tree.json';
import { describeCommand, type CommandTree } from './command';
import { version } from '../../config/version';

const EXAMPLE_NAME = 'commonplace';

/** Descriptions of all commands, from `command-tree.json`, without loading the commands. */
export const commandTrees = (): readonly CommandTree[] => TREE;

/** Descriptions of all commands, from the commands themselves; this loads everything. */
export const describeCommands = (): CommandTree[] =>
  COMMANDS.map(({ load }) => describeCommand(load()));

function programOf({ name, description, help, ...tree }: CommandTree): Program {
  const program = new Program(name).description(description).allowExcessArguments();
  if (tree.arguments !== undefined) program.arguments(tree.arguments);
  for (const { flags, description: text, choices } of tree.options) {
    const option = new ProgramOption(flags, text);
    program.addOption(choices ? option.choices([...choices]) : option);
  }
  for (const one of tree.subCommands) program.addCommand(programOf(one));
  const values = Object.entries(tree.values ?? {});
  const lists = values.map(([name, words]) => `\nValues of ${name}: ${words?.join(', ')}`);
  if (lists.length > 0) program.addHelpText('after', lists.join(''));
  if (help !== undefined) program.addHelpText('after', `\n${help}`);
  return program;
}

/** The program with all descriptions and no actions, for its help, version and errors. */
export function helpProgram(): Program {
  const program = new Program(EXAMPLE_NAME)
    .version(version(), '-V, --version', 'print the version')
    .option('--json', 'print JSON also on a terminal')
    .helpOption('-h, --help', 'show help; also after each command')
    .helpCommand('help [command]', 'show help of a command');
  for (const { title, commands } of COMMAND_GROUPS) {
    for (const { name, example } of commands) {
      const tree = commandTrees().find((one) => one.name === name);
      if (!tree) throw new Error(`${name} is missing in command-tree.json`);
      const command = programOf(tree).helpGroup(`${title}:`);
      command.addHelpText('after', `\nExample:\n  ${EXAMPLE_NAME} ${example}`);
      program.addCommand(command);
    }
  }
  const examples = COMMAND_GROUPS.map(
    ({ commands }) => `  ${EXAMPLE_NAME} ${commands[1]?.example ?? ''}`,
  );
  return program.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
}
