import { type Marked, type Tokens } from 'marked';
import { loadMarked } from '../config/packages';
import { escapeHtml } from '../text/markup';
import { Html } from '../web/html';

/** Names of the languages of code blocks, by the word after the fence. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  shell: 'Shell',
  cli: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
};

/** A block of code with the name of its language. It can be focused, so that the keyboard scrolls it. */
function codeBlock({ text, lang = '' }: Tokens.Code): string {
  const [language = ''] = lang.split(' ');
  const name = LANGUAGES[language];
  const caption = name === undefined ? '' : `<figcaption>${name}</figcaption>`;
  // Commands are shown as they are typed.
  const shown = language === 'cli' ? text.replace(/^/gm, 'npm run --silent cli -- ') : text;
  const code = `<pre tabindex="0"><code>${escapeHtml(shown)}</code></pre>`;
  return `<figure class="code">${caption}${code}</figure>\n`;
}

/** The id of a heading, for links to it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

function createRenderer(): Marked {
  const { Marked: Renderer, Renderer: BaseRenderer } = loadMarked();
  const base = new BaseRenderer();
  return new Renderer({
    renderer: {
      code: codeBlock,
      heading({ tokens, depth, text }) {
        const id = slugOf(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        base.parser = this.parser;
        return `<div class="table" tabindex="0">${base.table(token)}</div>\n`;
      },
      // Markdown may not contain markup.
      html: ({ text }) => escapeHtml(text),
    },
  });
}

let renderer: Marked | undefined;
const marked = (): Marked => (renderer ??= createRenderer());

/**
 * Renders CommonMark with tables. Markup in it is shown as text.
 * @param prefix of the ids of headings, for a page with several texts
 */
export function renderMarkdown(text: string, prefix = ''): Html {
  const rendered = marked().parse(text, { async: false });
  return new Html(rendered.replace(/(?<=^<h\d id=")/gm, escapeHtml(prefix)));
}

/** Renders a line of CommonMark without a paragraph around it. */
export const renderInline = (text: string): Html =>
  new Html(marked().parseInline(text, { async: false }));
