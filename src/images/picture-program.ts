import '../process/compile-cache';
import { readHeader, reencode } from './picture-encoding';
import {
  serializeError,
  type PictureRequest,
  type PictureResponse,
  type PictureResults,
} from './picture-messages';

// The server decides when this process ends, because it finishes uploads before it stops. Signals
// of a terminal or a service manager reach all processes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Number of pictures under way. */
let running = 0;

// Exiting waits for the threads that decode.
process.on('disconnect', () => {
  if (running > 0) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
});

async function run(request: PictureRequest): Promise<PictureResults[keyof PictureResults]> {
  const { work, header } = request;
  const { buffer, byteOffset, byteLength } = request.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (work === 'readHeader') return readHeader(bytes);
  if (!header) throw new Error('the header of the picture is missing');
  return reencode(bytes, header);
}

async function respond(request: PictureRequest): Promise<void> {
  let response: PictureResponse;
  running += 1;
  try {
    response = { id: request.id, result: await run(request) };
  } catch (error) {
    response = { id: request.id, error: serializeError(error) };
  }
  running -= 1;
  // The server may be gone.
  process.send?.(response, undefined, undefined, () => undefined);
}

process.on('message', (request: PictureRequest) => void respond(request));
