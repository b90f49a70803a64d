// Signs a new user in through the pages of the service, as a browser does, lists, writes and signs out.
import process from 'node:process';
import { Commonplace, NotFoundError } from 'commonplace-client';

const [baseUrl, clientId, runtime] = process.argv.slice(2);
const REDIRECT = 'http://127.0.0.1:1/back';
const cookies = new Map();

async function open(address, form) {
  const response = await fetch(new URL(address, baseUrl), {
    method: form ? 'POST' : 'GET',
    body: form && new URLSearchParams(form),
    headers: {
      Accept: 'text/html',
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    redirect: 'manual',
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
    cookies.set(name, value);
  }
  return { to: response.headers.get('location'), text: await response.text() };
}

/** Sends the form of a page with its hidden fields. @returns the address that it redirects to */
async function submit(page, action, fields) {
  const { text } = await open(page);
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const values = hidden.map(([, name, value]) => [name, value.replaceAll('&amp;', '&')]);
  const { to, text: body } = await open(action, { ...Object.fromEntries(values), ...fields });
  if (to === null) throw new Error(`${action} did not redirect: ${body}`);
  return to;
}

const uid = `smoke-${runtime}`;
const password = 'correct horse battery staple';
await submit('/service/register', '/service/register', { uid, password });

const api = new Commonplace({ baseUrl, clientId });
const pending = await api.prepareSignIn(REDIRECT, ['book_basic_r', 'book_basic_w']);
const back = await submit(pending.url, '/service/auth2/auth', { decision: 'allow' });
const { user_name } = await api.finishSignIn(back, pending);

const titles = [];
for await (const { title } of api.list('/v2/book/search', { query: { tag: '小说', count: 5 } })) {
  titles.push(title);
  if (titles.length === 7) break;
}

const path = { id: '1' };
const made = await api.post('/v2/book/{id}/collection', {
  path,
  body: { status: 'read', rating: 5 },
});
await api.delete('/v2/book/{id}/collection', { path });
const missing = await api.get('/v2/book/{id}/collection', { path }).catch((error) => error);
await api.signOut();

const results = { user_name, titles: titles.length, status: made.status, missing: missing.code };
const expected = { user_name: uid, titles: 7, status: 'read', missing: 1001 };
if (JSON.stringify(results) !== JSON.stringify(expected) || !(missing instanceof NotFoundError)) {
  throw new Error(JSON.stringify(results));
}
console.log(`${runtime}: signed in, listed, wrote, signed out`);
process.exit(0);
