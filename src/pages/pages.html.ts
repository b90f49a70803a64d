const STYLE = `
  body { font: 16px/1.6 system-ui, sans-serif; color: #1d2530; background: #fbfaf7; margin: 0; }
  main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
  h1 { font-size: 1.9rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
  a { color: #0b5cad; } p.lead { color: #4a5565; margin-top: 0; }
  pre { background: #1d2530; color: #f3f1ea; padding: .9rem 1rem; border-radius: .5rem; overflow: auto; }
  code { font: .92em ui-monospace, monospace; } li { margin: .25rem 0; }`;

const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** The front page with links. */
export const frontPage = (baseUrl: string): string =>
  page(
    'Commonplace',
    `<link rel="icon" href="/docs/assets/favicon-32x32.png">
<style>${STYLE}</style>`,
    `<main>
<h1>Commonplace</h1>
<p class="lead">An open media and community API: books, notes, movies and local events, as JSON.</p>
<h2>Try it</h2>
<pre><code>curl '${baseUrl}/v2/book/1'
curl '${baseUrl}/v2/book/search?q=%E4%B8%89%E4%BD%93&amp;count=3'
curl '${baseUrl}/v2/book/isbn/9787536692930?fields=title,author,rating'</code></pre>
<p>These need no authorization. With the line <code>Authorization: Bearer …</code> a call is a
user's own: books then carry <code>current_user_collection</code>.</p>
<h2>Where to go</h2>
<ul>
<li><a href="/docs">Every endpoint, to read and to try</a></li>
<li><a href="/service/developer">Your own application</a>,
<a href="/service/account">the applications that you let in</a></li>
<li><a href="/v2/openapi.json">The same as an OpenAPI 3.1 document</a></li>
<li><a href="/healthz">Is the process up?</a> <a href="/readyz">Is it ready?</a></li>
</ul>
<h2>Conventions</h2>
<ul>
<li>Lists take <code>start</code> and <code>count</code> (at most 100) and answer with
<code>start</code>, <code>count</code>, <code>total</code>.</li>
<li><code>fields=title,author</code> narrows a book answer, <code>callback=f</code> makes it JSONP.</li>
<li>Errors have a number: <code>{"msg": …, "code": …, "request": …}</code>; the header
<code>X-Error-Detail</code> says what was wrong.</li>
</ul>
</main>`,
  );

/** The documentation page; this server also serves its assets. */
export const docsPage = (): string =>
  page(
    'Commonplace: endpoints',
    `<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">`,
    `<div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
  );

/**
 * Starts the documentation. A separate file, because the content security policy forbids inline
 * scripts.
 */
export const docsScript = (): string => `window.onload = () => {
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
