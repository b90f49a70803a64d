import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SCOPES } from '../../src/api/access/access';
import { PictureSweeper } from '../../src/images/picture-sweeper';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { randomNumbers } from '../../src/import-export/synthetic/synthetic';
import { Factories } from '../factories/factories';
import { atScale } from '../figures';
import { startHarness, type Harness } from '../harness';
import { someJpeg } from '../e2e/pictures/pictures';
import { type Server, until, Workshop } from '../e2e/process/programs';

const KILLS = atScale(20, 5);
const MAX_KILLS = 100;
const AT_ONCE = 6;

let workshop: Workshop;
let folder: string;
/** Looks at the same database and folder as the servers that are killed. */
let harness: Harness;
beforeAll(async () => {
  workshop = await Workshop.open();
  folder = join(workshop.folder, 'pictures');
  harness = await startHarness({ settings: { PICTURES_DIR: folder } });
});
afterAll(async () => {
  await workshop.close();
  await harness.close();
});

interface Shown {
  readonly id: string;
  readonly photos: Record<string, string>;
}
const annotations = () => harness.source.query<Shown[]>('SELECT id, photos FROM annotations');

const names = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** Names of both files of every picture that an annotation shows. */
const shownFiles = (shown: readonly Shown[]): string[] =>
  shown
    .flatMap(({ photos }) => Object.values(photos))
    .flatMap((path) => [path, path.replace('-l.', '-s.')])
    .map((path) => path.split('/').pop() ?? '');

async function upload(server: Server, path: string, token: string): Promise<void> {
  const body = new FormData();
  body.append('content', 'with a picture: <图片 n="1">');
  body.append('page', '1');
  body.append('1', new Blob([new Uint8Array(await someJpeg(900, 700))]), 'p.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(server.origin + path, { method: 'POST', headers, body });
  await response.text();
}

it(`a server killed at ${KILLS} times during uploads leaves no row without its picture, and after a sweep no picture without its row`, async () => {
  const make = new Factories(harness.database);
  const { id: userId } = await make.aUser();
  const path = `/v2/book/${await make.aBook()}/annotations`;
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const { clientId } = await applications.create({ name: 'killed', scopes: SCOPES });
  const token = await applications.issue({ clientId, userId, scopes: SCOPES, ttl: 3600 });
  const random = randomNumbers(20);
  let left = 0;
  // Some of the moments have to leave something behind, or nothing is shown by this.
  for (let kill = 0; kill < KILLS || (left === 0 && kill < MAX_KILLS); kill += 1) {
    const env = { DATABASE_URL: harness.url, PICTURES_DIR: folder };
    const server = await workshop.serve(env);
    let resolved = 0;
    let running = true;
    const uploading = Array.from({ length: AT_ONCE }, async () => {
      while (running) {
        await upload(server, path, token).then(
          () => (resolved += 1),
          () => undefined,
        );
      }
    });
    const enough = Math.floor(random() * 8);
    await until(() => Promise.resolve(resolved >= enough));
    // Somewhere inside the uploads that are under way.
    for (let turns = Math.floor(random() * 20_000); turns > 0; turns -= 1) await turn();
    await server.program.kill();
    running = false;
    await Promise.all(uploading);

    const present = new Set(await names());
    const files = new Set(shownFiles(await annotations()));
    expect([...files].filter((name) => !present.has(name))).toEqual([]);
    left = present.size - files.size;
  }
  const shown = await annotations();
  expect(shown.length).toBeGreaterThan(0);
  expect(left).toBeGreaterThan(0);

  await harness.app.get(PictureSweeper, { strict: false }).sweep({ graceSeconds: 0 });
  expect((await names()).sort()).toEqual([...new Set(shownFiles(shown))].sort());
}, 240_000);
