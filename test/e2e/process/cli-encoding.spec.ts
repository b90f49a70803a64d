import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Workshop } from './programs';

/** The address of no database: the commands reject their input before they connect. */
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
/** Text with a letter in Latin-1. */
const LATIN1 = Buffer.from('caf\u00e9\n', 'latin1');

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

it.each(['record put book', 'word import -', 'user password ann', 'token revoke -'])(
  '%s rejects standard input that not valid UTF-8',
  async (command) => {
    const { code, stdout, stderr } = await workshop.cli(NOWHERE, command.split(' '), LATIN1);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'commonplace: standard input: not valid UTF-8\n',
    ]);
  },
);

it('word import rejects a file that not valid UTF-8', async () => {
  const file = join(workshop.folder, 'words.txt');
  await writeFile(file, LATIN1);
  const { code, stdout, stderr } = await workshop.cli(NOWHERE, ['word', 'import', file]);
  expect([code, stdout, stderr]).toEqual([1, '', `commonplace: ${file}: not valid UTF-8\n`]);
});
