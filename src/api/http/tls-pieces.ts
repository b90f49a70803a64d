import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/** Maximum bytes that are given to TLS at once: two records. */
const PIECE_BYTES = 32_768;

type Callback = (error?: Error | null) => void;

/** A write that waits for its turn. Strings have their encoding. */
interface Chunk {
  readonly chunk: string | Uint8Array;
  readonly encoding: BufferEncoding;
}

/** Sockets that write in pieces. */
const prepared = new WeakSet<Socket>();

const sizeOf = ({ chunk, encoding }: Chunk): number =>
  typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;

function* piecesOf(chunks: readonly Chunk[]): Generator<Uint8Array> {
  for (const { chunk, encoding } of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }
}

/**
 * Makes a socket of TLS encrypt large writes in pieces, each when the client's side has taken the
 * one before. Node encrypts a write as a whole, and a connection keeps the memory for that until it
 * closes: as much as its largest response. Smaller writes are not changed.
 */
function writeInPieces(socket: Socket): void {
  // A connection is announced again when another parser reads it (D43).
  if (prepared.has(socket)) return;
  prepared.add(socket);
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const writePieces = (chunks: readonly Chunk[], callback: Callback): void => {
    const pieces = piecesOf(chunks);
    const next: Callback = (error) => {
      const piece = error || socket.destroyed ? undefined : pieces.next();
      if (!piece || piece.done === true) callback(error);
      else write(piece.value, 'buffer' as BufferEncoding, next);
    };
    next();
  };
  socket._write = (chunk: Chunk['chunk'], encoding, callback) => {
    if (sizeOf({ chunk, encoding }) <= PIECE_BYTES) write(chunk, encoding, callback);
    else writePieces([{ chunk, encoding }], callback);
  };
  if (!writev) return;
  socket._writev = (chunks: Chunk[], callback) => {
    const size = chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
    if (size <= PIECE_BYTES) writev(chunks, callback);
    else writePieces(chunks, callback);
  };
}

/** Bounds the memory that each connection of a TLS server keeps after large responses. */
export function writeTlsInPieces(server: Server): void {
  server.on('secureConnection', writeInPieces);
}
