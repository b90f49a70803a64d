import { type ImportSummary } from '../../import-export/engine/import-options';
import { logToStderr } from './bootstrap';

const WIDTH = 30;
/** Milliseconds between two reports. */
const EVERY = 500;

/** Estimated time to the end, such as `, 2:05 left`; empty when unknown. */
function timeLeft(seconds: number, share: number | undefined): string {
  if (share === undefined || share < 0.01 || share >= 1 || seconds < 1) return '';
  const left = Math.round((seconds / share) * (1 - share));
  return `, ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
}

/** Prints the progress of an import to standard error: a bar on a terminal, else JSON lines. */
export class Progress {
  private last = 0;
  private readonly began = performance.now();

  /** @param share the share of the input that has been read, 0 to 1, or undefined when unknown */
  constructor(private readonly share: () => number | undefined) {}

  readonly report = (summary: Readonly<ImportSummary>): void => {
    const now = performance.now();
    if (now - this.last < EVERY) return;
    this.last = now;
    this.show(summary);
  };

  private show(summary: Readonly<ImportSummary>): void {
    const done = summary.imported + summary.updated + summary.skipped + summary.failed;
    const seconds = (performance.now() - this.began) / 1000;
    const share = this.share();
    if (!process.stderr.isTTY) {
      logToStderr({ progress: done, seconds: Math.round(seconds * 10) / 10, ...summary });
      return;
    }
    const filled = Math.round((share ?? 0) * WIDTH);
    const percent = Math.floor((share ?? 0) * 100);
    const bar = share === undefined ? '' : `[${'#'.repeat(filled).padEnd(WIDTH)}] ${percent}% `;
    const rate = Math.round(done / Math.max(seconds, 0.001));
    process.stderr.write(
      `\r${bar}${done} records, ${rate} a second, ${summary.failed} failed${timeLeft(seconds, share)} `,
    );
  }

  /** Prints the final state and ends the line on a terminal. */
  finish(summary: Readonly<ImportSummary>): void {
    if (!process.stderr.isTTY) return;
    this.show(summary);
    process.stderr.write('\n');
  }
}
