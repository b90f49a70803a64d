import { html, type Html } from '../web/html';
import { htmlDocument, page, pageFooter, pageHeader, PATHS, type Reader } from '../web/layout';
import { FRAME_STYLE } from '../web/style/style';

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

/** The API reference; this server also serves its assets. The document is in English. */
export const docsPage = (reader: Reader): Html =>
  htmlDocument(
    reader,
    `${reader.messages.front.docsTitle} · Commonplace`,
    html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
      <link rel="stylesheet" href="/docs/header.css" />`,
    html`${pageHeader(reader)}
      <main id="main"><div id="docs" lang="en"></div></main>
      ${pageFooter(reader)}
      <script src="/docs/assets/swagger-ui-bundle.js"></script>
      <script src="/docs/start.js"></script>`,
  );

/** The style sheet of the header above the API reference, which has its own styles. */
export const docsStyle = (): string => FRAME_STYLE;

/**
 * Starts the documentation. A separate file, because the content security policy forbids inline
 * scripts.
 */
export const docsScript = (): string => `window.onload = () => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  applyScheme();
  dark.addEventListener('change', applyScheme);
  window.ui = SwaggerUIBundle({
    url: '/v2/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  });
};
`;
