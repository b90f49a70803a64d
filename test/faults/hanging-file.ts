import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** A named pipe in place of a file: like on a mount that hangs, opening it does not end. */
export class HangingFile {
  private readonly bytes: Buffer;
  private isEnded = false;

  constructor(readonly path: string) {
    this.bytes = readFileSync(path);
    rmSync(path);
    execFileSync('mkfifo', [path]);
  }

  /** Ends what hangs, without a thread, because all of them may hang. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const writer = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
    rmSync(this.path);
    writeFileSync(this.path, this.bytes);
    // Readers that begin to open the pipe until then get its end.
    setImmediate(() => {
      closeSync(writer);
    });
  }
}
