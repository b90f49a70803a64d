import { RecordHandlers } from '../../src/import-export/engine/handlers';
import { commandTrees, describeCommands } from '../../src/cli/support/command-tree';
import { COMMANDS } from './admin-endpoints';
import { LOGGED, UNLOGGED } from './commands';

/** Every command that does something, by its words. */
const declared = commandTrees().flatMap(({ name, subCommands }) =>
  subCommands.length > 0 ? subCommands.map((one) => `${name} ${one.name}`) : [name],
);

describe('the command line', () => {
  it('has current descriptions in command-tree.json; otherwise run "npm run commands"', () => {
    expect(commandTrees()).toEqual(JSON.parse(JSON.stringify(describeCommands())));
  });

  it('lists the types of records in the help of imports', () => {
    const { kind = [] } = commandTrees().find(({ name }) => name === 'import')?.values ?? {};
    const names = new RecordHandlers().all.map(({ name }) => name);
    expect(names.filter((name) => !kind.includes(name))).toEqual([]);
  });

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
