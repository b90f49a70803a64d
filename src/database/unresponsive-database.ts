/** The database has accepted a connection, but a statement got no response in time. */
export class DatabaseUnresponsive extends Error {
  constructor(milliseconds: number) {
    super(`it accepted the connection, but did not respond within ${milliseconds / 1000} seconds`);
  }
}

/**
 * The result of short statements. For connections without a time limit of their own, such as those
 * of TypeORM: a statement on a connection whose peer has vanished would wait forever.
 *
 * @param milliseconds time limit; 0 means no limit
 * @throws DatabaseUnresponsive when it is exceeded; the statements still run
 */
export async function withResponseTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseUnresponsive(milliseconds));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
