import { defaults, Pool, type PoolConfig } from 'pg';
import { PoolClient } from './pool-client';

/**
 * `pg` for TypeORM's option `driver`. It gives access to the pool that TypeORM creates, on which
 * statements run without TypeORM's query runner.
 */
export class PoolDriver {
  readonly defaults = defaults;
  readonly Pool: typeof Pool;
  private created: Pool | undefined;
  /** Connections that are open. */
  private readonly clients = new Set<PoolClient>();

  constructor() {
    const keep = (pool: Pool): void => {
      this.created = pool;
      pool.on('connect', (client) => {
        if (!(client instanceof PoolClient)) return;
        this.clients.add(client);
        client.once('end', () => this.clients.delete(client));
      });
    };
    this.Pool = class extends Pool {
      constructor(config?: PoolConfig) {
        super(config);
        keep(this);
      }
    };
  }

  /**
   * Closes the sockets of all connections at once, also of those in use. A connection whose server
   * does not respond would keep the process alive.
   */
  destroy(): void {
    for (const client of this.clients) client.destroy();
  }

  /** The pool of the data source. @throws Error before the data source is initialized */
  get pool(): Pool {
    if (!this.created) throw new Error('the data source is not initialized');
    return this.created;
  }
}
