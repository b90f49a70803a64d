import { html, type Html } from '../web/html';
import { page, PATHS, type Reader } from '../web/layout';

/** The home page with links. */
export function frontPage(reader: Reader, baseUrl: string): Html {
  const { front: words, lang } = reader.messages;
  const body = html`<h1>Commonplace</h1>
    <p class="lead">${words.lead}</p>
    <h2>${words.tryIt}</h2>
    <pre><code>curl '${baseUrl}/v2/book/1'
curl '${baseUrl}/v2/book/search?q=%E4%B8%89%E4%BD%93&amp;count=3'
curl '${baseUrl}/v2/book/isbn/9787536692930?fields=title,author,rating'</code></pre>
    <p>${words.tryHint}</p>
    <pre><code>Authorization: Bearer ACCESS_TOKEN</code></pre>
    <h2>${words.links}</h2>
    <ul>
      <li><a href="${PATHS.docs}">${words.docs}</a></li>
      <li><a href="${PATHS.developer}">${words.developer}</a></li>
      <li><a href="${PATHS.account}">${words.account}</a></li>
      <li><a href="/v2/openapi.json">${words.openApi}</a></li>
      <li>
        ${words.health}${lang === 'en' ? ': ' : '：'}<a href="/healthz">/healthz</a>,
        <a href="/readyz">/readyz</a>
      </li>
    </ul>
    <h2>${words.conventions}</h2>
    <ul>
      <li>${words.lists}</li>
      <li>${words.fields}</li>
      <li>${words.errors}</li>
    </ul>`;
  return page(reader, { title: 'Commonplace', indexed: true }, body);
}
