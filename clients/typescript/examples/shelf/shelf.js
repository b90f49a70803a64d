// Signs a reader in with PKCE and lists the books of the reader's collections.
import { ApiError, Commonplace, webStorage } from 'commonplace-client';

const STATUSES = { wish: 'Wants to read', reading: 'Is reading', read: 'Has read' };
const redirectUri = `${location.origin}/`;
const element = (id) => document.getElementById(id);

const { service, clientId } = await (await fetch('/config.json')).json();
const api = new Commonplace({
  baseUrl: service,
  clientId,
  // Reloading the page keeps the reader signed in.
  storage: webStorage(localStorage),
});

async function signIn() {
  const pending = await api.prepareSignIn(redirectUri, ['book_basic_r']);
  sessionStorage.setItem('pending', JSON.stringify(pending));
  location.assign(pending.url);
}

/** Finishes the sign-in when the service has redirected the browser here. */
async function finishSignIn() {
  const pending = sessionStorage.getItem('pending');
  sessionStorage.removeItem('pending');
  const address = location.href;
  history.replaceState(null, '', '/');
  if (pending) await api.finishSignIn(address, JSON.parse(pending));
}

async function showShelf({ user_id, user_name }) {
  element('message').textContent = `Signed in as ${user_name}.`;
  element('sign-out').hidden = false;
  const path = { name: user_id };
  for await (const { book, status, rating } of api.list('/v2/book/user/{name}/collections', {
    path,
    query: { fields: 'book,status,rating' },
  })) {
    const item = document.createElement('li');
    const stars = '★'.repeat(Number(rating.value));
    item.textContent = `${book.title}: ${STATUSES[status]} ${stars}`.trim();
    element('shelf').append(item);
  }
  element('shelf').dataset.complete = 'true';
}

function showError(error) {
  const isApi = error instanceof ApiError;
  element('message').textContent = isApi ? `Error ${error.code}: ${error.message}` : error.message;
  element('sign-in').hidden = false;
}

element('sign-in').addEventListener('click', () => void signIn());
element('sign-out').addEventListener('click', async () => {
  try {
    await api.signOut();
    location.reload();
  } catch (error) {
    // This page has forgotten the tokens, but the service could not revoke them.
    element('shelf').replaceChildren();
    element('sign-out').hidden = true;
    showError(error);
  }
});

try {
  if (new URLSearchParams(location.search).has('state')) await finishSignIn();
  const tokens = await api.currentTokens();
  if (tokens) await showShelf(tokens);
  else element('sign-in').hidden = false;
} catch (error) {
  showError(error);
}
