/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = /<\?[^]*?\?>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * Parses an XML document without DTD, comments and CDATA, as this service writes them.
 * @throws Error where it is not well-formed
 */
export function parseXml(source: string): XmlElement {
  if (FORBIDDEN.test(source)) throw new Error('a character that XML forbids');
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 60)}`);
    const [, close, name, pairs = '', empty, text] = match;
    const current = open.at(-1) as XmlElement;
    if (text !== undefined) {
      if (/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`a bare & at ${at}`);
      current.text += text;
    } else if (close === '/') {
      if (current.name !== name) throw new Error(`</${name}> closes <${current.name}>`);
      open.pop();
    } else if (name !== undefined) {
      const attributes = Object.fromEntries(
        [...pairs.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
      ) as Record<string, string>;
      const element = { name, attributes, children: [], text: '' };
      current.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [root] = document.children;
  if (open.length !== 1 || !root || document.children.length !== 1) throw new Error('not one root');
  return root;
}
