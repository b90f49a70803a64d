import { flat } from '../factories/pictures';
import { type TestResponse } from '../http';
import { randomHex } from '../random';
import { type Service } from './client';

/** A JPEG of a random color. */
export const somePicture = (): Promise<Buffer> =>
  flat(120, 80, `#${randomHex(6)}`)
    .jpeg()
    .toBuffer();

/** Files that are no pictures, with the code of their error (section 7). */
export const NO_PICTURES: readonly (readonly [what: string, bytes: Buffer, code: number])[] = [
  ['3 MB', Buffer.alloc(3 * 1024 * 1024, 1), 1003],
  ['a text file', Buffer.from('This is no picture at all.'), 1008],
  ['a truncated JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]), 1009],
];

/** Requests the address of a picture from the service under test. */
export function openPicture(service: Service, address: string): Promise<TestResponse> {
  const { pathname, search } = new URL(address);
  return service.call(pathname + search);
}
