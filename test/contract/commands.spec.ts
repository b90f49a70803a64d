import { COMMANDS as GROUPS } from '../../src/cli/commands';
import { declarationOf } from '../../src/cli/support/command';
import { COMMANDS } from './admin-endpoints';
import { LOGGED, UNLOGGED } from './commands';

/** Every command that does something, by its words. */
const known = GROUPS.map(declarationOf).flatMap(({ name, subCommands }) =>
  subCommands ? subCommands.map((one) => `${name} ${declarationOf(one).name}`) : [name],
);

describe('the command line', () => {
  it('has commands that are in the log of changes, or need not be', () => {
    const wanted = [...LOGGED.map(([command]) => command), ...Object.values(UNLOGGED).flat()];
    expect([...known].sort()).toEqual(wanted.sort());
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
