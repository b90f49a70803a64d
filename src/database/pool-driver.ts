import { defaults, Pool, type PoolConfig } from 'pg';

/**
 * `pg` for TypeORM's option `driver`. It gives access to the pool that TypeORM creates, on which
 * statements run without TypeORM's query runner.
 */
export class PoolDriver {
  readonly defaults = defaults;
  readonly Pool: typeof Pool;
  private created: Pool | undefined;

  constructor() {
    const keep = (pool: Pool): void => {
      this.created = pool;
    };
    this.Pool = class extends Pool {
      constructor(config?: PoolConfig) {
        super(config);
        keep(this);
      }
    };
  }

  /** The pool of the data source. @throws Error before the data source is initialized */
  get pool(): Pool {
    if (!this.created) throw new Error('the data source is not initialized');
    return this.created;
  }
}
