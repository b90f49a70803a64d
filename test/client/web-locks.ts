interface Waiting {
  readonly start: () => void;
}

/** The part of the Web Locks API that the client uses. Locks are exclusive and granted in order. */
class WebLocks {
  private readonly queues = new Map<string, Waiting[]>();

  request<T>(
    name: string,
    { signal, ifAvailable }: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
    task: (lock: object | null) => T | Promise<T>,
  ): Promise<T> {
    const queue = this.queues.get(name) ?? [];
    this.queues.set(name, queue);
    if (ifAvailable && queue.length > 0) return Promise.resolve(task(null));
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', abort);
          const leave = (): void => {
            queue.shift();
            queue[0]?.start();
          };
          void Promise.resolve(task({})).finally(leave).then(resolve, reject);
        },
      };
      // A signal ends only the wait for the lock.
      const abort = (): void => {
        queue.splice(queue.indexOf(entry), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort);
      queue.push(entry);
      if (queue.length === 1) entry.start();
    });
  }
}

/** Gives this process `navigator.locks`, as Node 24.5 has. @returns what restores its absence */
export function installWebLocks(): () => void {
  const former = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const value = { locks: new WebLocks() };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  return () => {
    if (former) Object.defineProperty(globalThis, 'navigator', former);
    else Reflect.deleteProperty(globalThis, 'navigator');
  };
}
