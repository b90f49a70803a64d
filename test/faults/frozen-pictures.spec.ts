import { join } from 'node:path';
import { SCOPES } from '../../src/api/access/access';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { pictureProcessesOf } from '../picture-processes';
import { someJpeg } from '../e2e/pictures/pictures';
import { until, Workshop } from '../e2e/process/programs';
import { ApplicationsService } from '../../src/oauth/applications.service';

let workshop: Workshop;
let harness: Harness;
beforeAll(async () => {
  workshop = await Workshop.open();
  harness = await startHarness();
});
afterAll(async () => {
  await workshop.close();
  await harness.close();
});

it('503: a server that stops responds to an upload whose picture a frozen process decodes', async () => {
  const make = new Factories(harness.database);
  const { id: userId } = await make.aUser();
  const path = `/v2/book/${await make.aBook()}/annotations`;
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const { clientId } = await applications.create({ name: 'frozen', scopes: SCOPES });
  const token = await applications.issue({ clientId, userId, scopes: SCOPES, ttl: 3600 });
  const server = await workshop.serve({
    DATABASE_URL: harness.url,
    PICTURES_DIR: join(workshop.folder, 'pictures'),
    DRAIN_SECONDS: '5',
  });
  const body = new FormData();
  body.append('content', 'with a picture: <图片 n="1">');
  body.append('page', '1');
  body.append('1', new Blob([new Uint8Array(await someJpeg())]), 'p.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const uploading = fetch(server.origin + path, { method: 'POST', headers, body });
  // Frozen while it starts, so that it responds to nothing.
  await until(async () => {
    const [pid] = await pictureProcessesOf(server.program.child.pid ?? 0);
    return pid !== undefined && process.kill(pid, 'SIGSTOP');
  });
  const ended = server.stop();
  const response = await uploading;
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await ended).toMatchObject({ code: 0, signal: null });
});
