import 'reflect-metadata';
import { Command as Program, Option as ProgramOption } from 'commander';

/** Declaration of a command: its words, its positional arguments and its subcommands. */
export interface CommandDeclaration {
  readonly name: string;
  readonly description: string;
  /** Positional arguments as commander writes them: `<required> [optional] [several...]`. */
  readonly arguments?: string;
  /** Values of positional arguments by their names, for the help and completion. */
  readonly values?: Readonly<Record<string, readonly string[] | undefined>>;
  /** More text for the help. */
  readonly help?: string;
  readonly subCommands?: readonly CommandClass[];
}

/**
 * Declaration of an option. The decorated method converts its text. Its second parameter is the
 * result for the same option further left, for options that may be repeated.
 */
export interface OptionDeclaration {
  /** Names and value as commander writes them: `--out <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
  /** Values that the help lists. */
  readonly choices?: readonly string[];
}

/** A command. Its errors are printed, and the exit status is 1. */
export abstract class CommandRunner {
  /**
   * @param values positional arguments
   * @param options results of the methods with `@Option`, by the names of the options
   */
  abstract run(values: string[], options: object): Promise<void>;
}

export type CommandClass = new () => CommandRunner;

type Converter = (text: string, earlier: unknown) => unknown;

const COMMAND = 'cli:command';
const OPTION = 'cli:option';

/** Declares a command or a subcommand. */
export const Command =
  (declaration: CommandDeclaration): ClassDecorator =>
  (target) => {
    Reflect.defineMetadata(COMMAND, declaration, target);
  };

/** Declares an option of the command. Subclasses inherit it. */
export const Option =
  (declaration: OptionDeclaration): MethodDecorator =>
  (target, method) => {
    Reflect.defineMetadata(OPTION, declaration, target, method);
  };

/** The declaration of a command. */
export function declarationOf(command: CommandClass): CommandDeclaration {
  const found = Reflect.getOwnMetadata(COMMAND, command) as CommandDeclaration | undefined;
  if (!found) throw new Error(`${command.name} has no @Command`);
  return found;
}

/** Names of methods, those of subclasses before inherited ones. */
function methodsOf(instance: object): string[] {
  const names = new Set<string>();
  let prototype = Object.getPrototypeOf(instance) as object | null;
  for (; prototype; prototype = Object.getPrototypeOf(prototype) as object | null) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
  }
  return [...names];
}

/** The declared options of a command, with the methods that convert them. */
function optionDeclarations(command: CommandRunner): (readonly [string, OptionDeclaration])[] {
  return methodsOf(command).flatMap((method) => {
    const found = Reflect.getMetadata(OPTION, command, method) as OptionDeclaration | undefined;
    return found ? [[method, found] as const] : [];
  });
}

function optionsOf(command: CommandRunner): ProgramOption[] {
  return optionDeclarations(command).map(([method, found]) => {
    const option = new ProgramOption(found.flags, found.description);
    option.makeOptionMandatory(found.required ?? false);
    if (found.choices) option.choices(found.choices);
    const convert = (command as unknown as Record<string, Converter>)[method];
    return option.argParser((text, earlier) => convert?.call(command, text, earlier));
  });
}

function programOf(command: CommandClass): Program {
  const { name, description, arguments: values, subCommands = [] } = declarationOf(command);
  const instance = new command();
  const program = new Program(name).description(description);
  // `ParentCommand` reports an unknown subcommand.
  if (subCommands.length > 0) program.allowExcessArguments();
  if (values !== undefined) program.arguments(values);
  for (const option of optionsOf(instance)) program.addOption(option);
  for (const subCommand of subCommands) program.addCommand(programOf(subCommand));
  return program.action(() => instance.run(program.args, program.opts()));
}

/** What the help says of a command, as data. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly arguments?: string;
  readonly values?: CommandDeclaration['values'];
  readonly help?: string;
  readonly options: readonly OptionDeclaration[];
  readonly subCommands: readonly CommandTree[];
}

/** A command that only has subcommands. */
export abstract class ParentCommand extends CommandRunner {
  run([subcommand]: string[]): Promise<void> {
    const { name, subCommands = [] } = declarationOf(this.constructor as CommandClass);
    const existing = subCommands.map((one) => declarationOf(one).name).join(', ');
    const problem =
      subcommand === undefined ? 'a subcommand is required' : `unknown subcommand: ${subcommand}`;
    return Promise.reject(new Error(`${name}: ${problem}; existing subcommands: ${existing}`));
  }
}

/** Describes a command and its subcommands. */
export function describeCommand(command: CommandClass): CommandTree {
  const { subCommands = [], ...declaration } = declarationOf(command);
  const options = optionDeclarations(new command()).map(([, option]) => option);
  return { ...declaration, options, subCommands: subCommands.map(describeCommand) };
}

/**
 * Runs the command that arguments name. commander prints wrong arguments and exits with status 1.
 *
 * @param command the command of the top level that they name
 * @param args as in `process.argv`
 * @throws the error of the command
 */
export async function runProgram(command: CommandClass, args: readonly string[]): Promise<void> {
  const program = new Program('commonplace').addCommand(programOf(command));
  await program.parseAsync([...args]);
}
