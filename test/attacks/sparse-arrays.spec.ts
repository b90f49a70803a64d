import { figure } from '../figures';
import { Target } from './target';

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.close());

/** A multipart body with a single field. */
const form = (name: string): FormData => {
  const body = new FormData();
  body.append(name, 'x');
  return body;
};

it.each(['/service/sign-in', '/service/auth2/token'])(
  'POST %s responds at once to field names with large indexes',
  async (path) => {
    const names = [
      'a[4294967294]',
      'a[4294967293][b]',
      'a[0][4294967294]',
      'a[99999999999999999999]',
    ];
    await target.attack(`sparse arrays at ${path}`, async () => {
      for (const name of names) {
        const startedAt = performance.now();
        const { status } = await target.call(path, { method: 'POST', body: form(name) });
        figure(`${name} at ${path}: ms`, performance.now() - startedAt, { atMost: 50 });
        expect(status).toBe(400);
      }
    });
  },
);
