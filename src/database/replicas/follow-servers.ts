import { type Database } from '../database';

/**
 * Starts to watch replicas, and servers that may become the primary: connections follow a failover.
 *
 * @param warn receives a message for the log when another server becomes the primary, or replicas
 *   change
 */
export async function followServers(
  databases: Iterable<Database>,
  warn: (message: string) => void,
): Promise<void> {
  for (const database of databases) {
    await database.replicas?.start({
      onPrimary: () => {
        database.reconnectToNewPrimary();
      },
      log: warn,
    });
  }
}
