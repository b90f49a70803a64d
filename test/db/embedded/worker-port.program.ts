import { freePort } from '../../../src/database/embedded/ports';

/** Sends the first free port of the arguments to the parent process. */
async function find(): Promise<void> {
  const port = await freePort(process.argv.slice(2).map(Number));
  process.send?.(port, () => process.exit(0));
}

void find();
