import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { destroyOnParserError } from './parser-errors';

it('an error that a listener throws destroys its stream', async () => {
  const stream = new PassThrough();
  const cause = new Error('not a message');
  const received: string[] = [];
  stream.on('data', (chunk: Buffer) => received.push(chunk.toString()));
  stream.on('data', () => {
    throw cause;
  });
  destroyOnParserError(stream, (thrown) => new Error('invalid', { cause: thrown }));
  stream.write('?');
  const [error] = (await once(stream, 'error')) as [Error];
  expect(error).toMatchObject({ message: 'invalid', cause });
  expect([received, stream.destroyed]).toEqual([['?'], true]);
});
