import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommands } from './command-tree';

// `npm run commands`: writes the descriptions that `--help` reads.
writeFileSync(
  join(__dirname, '../../../../src/cli/command-tree.json'),
  `${JSON.stringify(describeCommands(), null, 2)}\n`,
);
