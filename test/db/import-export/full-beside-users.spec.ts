import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '../../../src/import-export/full/manifest';
import { FullTransfer } from './full';
import { note } from './notes-records';
import { annotation } from './records';

const USERS = [1, 2].map((id) => ({ id, uid: `u${id}`, name: 'n' }));

it('notes that users write during a full import get other ids than those of its files', async () => {
  const [from, to] = [await FullTransfer.open(), await FullTransfer.open()];
  try {
    await from.transfer.take('user', USERS);
    await from.transfer.take('note', [note(1, { author_id: '1' })]);
    const folder = await from.export('out');
    let isWritten = false;
    const { reasons } = await to.importInPart(folder, {
      onProgress: async (files) => {
        if (isWritten || !files.some(({ kind, done }) => kind === 'user' && done)) return;
        isWritten = true;
        await to.query(
          `INSERT INTO notes (user_id, privacy, content) VALUES (2, 'private', 'own')`,
        );
      },
    });
    expect(reasons).toEqual([]);
    expect(await to.query('SELECT id::int, user_id::int FROM notes ORDER BY id')).toEqual([
      { id: 1, user_id: 1 },
      { id: 2, user_id: 2 },
    ]);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});

it('a full import does not replace an annotation that was written since it began', async () => {
  const [from, to] = [await FullTransfer.open(), await FullTransfer.open()];
  try {
    for (const { transfer } of [from, to]) {
      await transfer.take('user', USERS);
      await transfer.take('book', [{ id: '1', title: 'Book' }]);
    }
    await from.transfer.take('annotation', [annotation(1, 1, 1, {})]);
    await to.query(`INSERT INTO annotations (user_id, book_id, content) VALUES (2, 1, 'own')`);
    const folder = await from.export('out');
    const { reasons } = await to.importInPart(folder, {
      firstAttempt: { initialIds: { annotations: 0 } },
    });
    expect(reasons).toEqual(['the id 1 belongs to a record that was created during the import']);
    expect(await to.query('SELECT user_id::int, content FROM annotations')).toEqual([
      { user_id: 2, content: 'own' },
    ]);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});

it('a full import does not show pictures of notes that were deleted or changed since they were stored', async () => {
  const [from, to] = [await FullTransfer.open(), await FullTransfer.open()];
  try {
    const hash = 'ab'.repeat(32);
    // The storage has lost the files of the picture, but is mounted.
    await mkdir(join(from.place('pictures'), '00'), { recursive: true });
    const photos = { 1: `/pictures/u/${hash}-l.jpg` };
    await from.transfer.take('user', USERS);
    await from.transfer.take(
      'note',
      [1, 2, 3].map((id) => note(id, { author_id: '1' })),
    );
    await from.query(
      `INSERT INTO pictures (hash, extension, width, height, bytes)
       VALUES (decode('${hash}', 'hex'), 'jpg', 1, 1, 1)`,
    );
    await from.query(`UPDATE notes SET photos = '${JSON.stringify(photos)}'`);
    await from.query(
      `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
       SELECT 'note', id, 1, decode('${hash}', 'hex'), false FROM notes`,
    );
    const folder = await from.export('out');
    let isChanged = false;
    await to.imports.run(folder, await readManifest(folder), [], {
      onError: (error) => {
        throw new Error(error.reason);
      },
      onProgress: async (files) => {
        if (isChanged || !files.some(({ kind, done }) => kind === 'note' && done)) return;
        isChanged = true;
        await to.query('DELETE FROM notes WHERE id = 1');
        await to.query(`UPDATE notes SET photos = '{}' WHERE id = 2`);
      },
    });
    expect(isChanged).toBe(true);
    expect(await to.query('SELECT subject_id::int FROM picture_uses')).toEqual([{ subject_id: 3 }]);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});
