import 'reflect-metadata';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { CommandMeta, SubCommandMeta } from 'nest-commander/src/constants';
import { CliModule } from '../../src/cli/cli.module';
import { COMMANDS } from './admin-endpoints';
import { LOGGED, UNLOGGED } from './commands';

type Class = new () => unknown;
interface Meta {
  readonly name: string;
  readonly subCommands?: readonly Class[];
}

const metaOf = (key: string, command: Class) => Reflect.getMetadata(key, command) as Meta;
const providers = Reflect.getMetadata(MODULE_METADATA.PROVIDERS, CliModule) as Class[];
const groups = providers.map((one) => metaOf(CommandMeta, one)).filter((meta) => Boolean(meta));

/** Every command that does something, by its words. */
const known = groups.flatMap(({ name, subCommands }) =>
  subCommands ? subCommands.map((one) => `${name} ${metaOf(SubCommandMeta, one).name}`) : [name],
);

describe('the command line', () => {
  it('has commands that are in the log of changes, or need not be', () => {
    const wanted = [...LOGGED.map(([command]) => command), ...Object.values(UNLOGGED).flat()];
    expect([...known].sort()).toEqual(wanted.sort());
  });

  it('knows every subcommand as a provider, too', () => {
    const inside = groups.flatMap(({ subCommands = [] }) => subCommands);
    expect(inside.filter((one) => !providers.includes(one))).toEqual([]);
  });

  it('does whatever the administration API does', () => {
    expect(COMMANDS.filter((command) => !known.includes(command))).toEqual([]);
  });

  it('writes down what it changes where the administration API would', () => {
    const changing = COMMANDS.filter((command) => !UNLOGGED['changes nothing']?.includes(command));
    const logged = LOGGED.map(([command]) => command);
    expect(changing.filter((command) => !logged.includes(command))).toEqual([]);
  });
});
