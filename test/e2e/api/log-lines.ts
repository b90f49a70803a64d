import pino, { type Logger } from 'pino';

/** A logger that keeps its lines, each as the object it was written as. */
export class LogLines {
  readonly lines: Record<string, unknown>[] = [];
  readonly logger: Logger;
  private waiting: (() => void)[] = [];

  constructor(level = 'info') {
    this.logger = pino(
      { level, base: null },
      {
        write: (line: string) => {
          this.lines.push(JSON.parse(line) as Record<string, unknown>);
          this.waiting.forEach((wake) => {
            wake();
          });
          this.waiting = [];
        },
      },
    );
  }

  /** The line that `fits`, as soon as it is written: a request may end before it is logged. */
  async line(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** The line that says how a request went. */
  requestLine(id: string): Promise<Record<string, unknown>> {
    return this.line(({ request, status }) => request === id && status !== undefined);
  }

  get text(): string {
    return JSON.stringify(this.lines);
  }
}
