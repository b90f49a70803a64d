import { performance } from 'node:perf_hooks';
import { readHeader, reencode } from '../../src/images/picture-encoding';
import { relevantChunks } from '../../src/images/png-chunks';
import { handmadePng, pngWithChunks } from '../factories/pictures';
import { atScale, figure } from '../figures';

/** As many as a picture of 3 MB holds. */
const CHUNKS = atScale(190_000, 100);

const PNG = handmadePng(16, 16, 8);
const GAMMA = Buffer.from([0, 0, 0xb1, 0x8f]);

/** The picture with repetitions of a chunk before its pixels. */
const withRepeated = (type: string, content: Buffer, count: number): Buffer =>
  pngWithChunks(PNG, type, Array<Buffer>(count).fill(content));

it.each([
  ['gAMA', GAMMA],
  ['sBIT', Buffer.from([8])],
  // With an entry, as the decoder gets the orientation alone.
  [
    'eXIf',
    Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06' + '\0'.repeat(6), 'latin1'),
  ],
  ['PLTE', Buffer.alloc(3)],
])('passes one of many %s chunks to the decoder, which warns of each', (type, content) => {
  const once = relevantChunks(withRepeated(type, content, 1));
  expect(relevantChunks(withRepeated(type, content, CHUNKS))).toEqual(once);
  expect(once).toHaveLength(PNG.length + 12 + content.length);
});

it('passes no empty IDAT chunks to the decoder', () => {
  expect(relevantChunks(withRepeated('IDAT', Buffer.alloc(0), CHUNKS))).toEqual(PNG);
});

it('re-encodes a PNG with many repeated chunks without occupying the event loop', async () => {
  const bytes = withRepeated('gAMA', GAMMA, CHUNKS);
  // The first picture loads the library.
  await readHeader(PNG);
  const before = performance.eventLoopUtilization();
  await expect(reencode(bytes, await readHeader(bytes))).resolves.toMatchObject({ width: 16 });
  const { active } = performance.eventLoopUtilization(before);
  figure('repeated chunks: ms of the event loop', active, { atMost: 200 });
});
