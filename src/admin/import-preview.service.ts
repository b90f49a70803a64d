import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { OperationError } from '../api/errors/error-codes';
import { errorText } from '../api/errors/error-text';
import { RecordHandlers } from '../import-export/engine/handlers';
import { ImportService } from '../import-export/engine/import.service';
import { type RecordHandler } from '../import-export/engine/record-handler';
import { plainBytes } from '../import-export/engine/plain-bytes';
import { PreviewCollector, type ImportPreview } from '../import-export/engine/preview';
import { readManifest, type ManifestEntry } from '../import-export/full/manifest';
import { ExclusiveTask } from './exclusive-task';
import { InputError, toInputError, TransferFolder } from './transfer-folder';

/** Bytes that a preview reads, decompressed, because the browser waits for it. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Maximum duration of a preview in milliseconds. */
const MAX_MS = 10_000;

/** Thrown while another preview runs. */
export class PreviewBusyError extends OperationError {
  constructor() {
    super('another preview runs');
  }
}

/** Previews imports of files in TRANSFER_DIR; nothing is stored. */
@Injectable()
export class ImportPreviewService {
  private readonly task = new ExclusiveTask(() => new PreviewBusyError());

  constructor(
    private readonly handlers: RecordHandlers,
    private readonly imports: ImportService,
    private readonly folder: TransferFolder,
  ) {}

  /**
   * What the import of a file would do. A process runs one preview at a time.
   * @param signal ends the preview, with its reason
   * @throws InputError for a file that cannot be imported; PreviewBusyError while another preview
   *   runs; OperationError 999 for an unknown kind
   */
  async preview(kind: string, name: string, signal: AbortSignal): Promise<ImportPreview> {
    const handler = this.handlers.named(kind);
    return this.task.run(async () => {
      await this.folder.requireInput(kind, name);
      return this.read(handler, name, signal);
    });
  }

  /** Whether a preview runs. */
  get isBusy(): boolean {
    return this.task.isRunning;
  }

  private async read(
    handler: RecordHandler,
    name: string,
    signal: AbortSignal,
  ): Promise<ImportPreview> {
    const stream = createReadStream(join(this.folder.path, name));
    const collector = new PreviewCollector();
    const deadline = performance.now() + MAX_MS;
    let isComplete = true;
    let bytes = 0;
    const start = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of plainBytes(stream)) {
        yield chunk;
        bytes += chunk.length;
        if (bytes < MAX_BYTES && performance.now() < deadline) continue;
        isComplete = false;
        return;
      }
    };
    try {
      // No read-ahead: isComplete turns false only when the parser asks for more than the limit, so
      // only the error of the truncated record is dropped.
      const input = Readable.from(start(), { highWaterMark: 1 });
      const summary = await this.imports.import(handler, name, input, {
        dryRun: true,
        signal,
        onCompared: collector.onCompared,
        onError: collector.onError,
        isCutOff: () => !isComplete,
      });
      const { imported, updated, skipped, errors, failed } = collector;
      const records = { imported, updated, skipped, errors };
      return { summary: { ...summary, failed }, isComplete, bytes, ...records };
    } catch (error) {
      throw toInputError(error) ?? error;
    } finally {
      stream.destroy();
    }
  }

  /** The files of a full export. @throws InputError for another file or folder, or its manifest */
  async listExportFiles(name: string): Promise<readonly ManifestEntry[]> {
    await this.folder.requireInput('all', name);
    try {
      return (await readManifest(join(this.folder.path, name))).kinds;
    } catch (error) {
      throw new InputError('manifest', errorText(error));
    }
  }
}
