import { openEmbedded, type EmbeddedOptions } from '../../../src/database/embedded/embedded';

/** Opens the server that the argument describes, prints its address, and releases it on any input. */
async function open(options: EmbeddedOptions): Promise<void> {
  const server = await openEmbedded(options);
  process.stdout.write(`${JSON.stringify({ url: server.url, started: server.started })}\n`);
  process.stdin.once('data', () => {
    void server.release().then(() => process.exit(0));
  });
}

void open(JSON.parse(process.argv[2] ?? '{}') as EmbeddedOptions);
