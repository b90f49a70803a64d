import { onBehalfOf } from '../api/http/current-request';
import { type RequestContext } from '../api/http/request-context';
import { ClientPresence } from '../api/http/client-presence';
import { testSettings } from '../../test/settings';
import { handmadePng } from '../../test/factories/pictures';
import { inMemory } from '../../test/factories/prepared-pictures';
import { type Database } from '../database/database';
import { type ImageHeader } from './picture-encoding';
import { PictureProcess } from './picture-process';
import { type PictureStorage } from './picture-storage';
import { PicturesService } from './pictures.service';

it('the header of one picture is read before the further ones of other addresses', async () => {
  const reading = jest
    .spyOn(PictureProcess.prototype, 'readHeader')
    .mockImplementation(() => new Promise((resolve) => setImmediate(resolve, {} as ImageHeader)));
  const service = new PicturesService({} as PictureStorage, {} as Database, testSettings());
  const file = inMemory(handmadePng(1, 1, 1));
  const read = (addressKey: string, count: number): Promise<number> => {
    const request = { addressKey, presence: new ClientPresence() } as RequestContext;
    const files = Array.from({ length: count }, () => file);
    return onBehalfOf(request, () => service.readHeaders(files)).then(
      () => reading.mock.calls.length,
    );
  };
  const others = Array.from({ length: 10 }, (_, at) => read(`address ${at}`, 7));
  // Before it, each of the others has read one file at most.
  expect(await read('one more', 1)).toBeLessThanOrEqual(11);
  await Promise.all(others);
  expect(reading.mock.calls).toHaveLength(71);
});
