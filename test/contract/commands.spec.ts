import { COMMANDS as GROUPS } from '../../src/cli/commands';
import { declarationOf } from '../../src/cli/support/command';
import { COMMANDS } from './admin-endpoints';
import { LOGGED, UNLOGGED } from './commands';

/** Every command that does something, by its words. */
const declared = GROUPS.map(declarationOf).flatMap(({ name, subCommands }) =>
  subCommands ? subCommands.map((one) => `${name} ${declarationOf(one).name}`) : [name],
);

describe('the command line', () => {
  it('has a row for each command: its audit entries, or why it has none', () => {
    const wanted = [...LOGGED.map(([command]) => command), ...Object.values(UNLOGGED).flat()];
    expect([...declared].sort()).toEqual(wanted.sort());
  });

  it('has an equivalent for each route of the administration API', () => {
    expect(COMMANDS.filter((command) => !declared.includes(command))).toEqual([]);
  });

  it('writes the audit entries of the equivalent route', () => {
    const changing = COMMANDS.filter((command) => !UNLOGGED['changes nothing']?.includes(command));
    const logged = LOGGED.map(([command]) => command);
    expect(changing.filter((command) => !logged.includes(command))).toEqual([]);
  });
});
