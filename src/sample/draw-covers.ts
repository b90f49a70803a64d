/**
 * Draws the pictures of the sample catalogue.
 *
 * Reads `data/books.ndjson` and `data/users.ndjson` and writes under `pictures/`:
 *
 *   books/<id>-s.jpg   65 x 93      books/<id>-m.jpg   106 x 152
 *   books/<id>-l.jpg   316 x 454    users/<id>.jpg     96 x 96
 *   default/book-{s,m,l}.jpg and default/user.jpg, the neutral placeholders
 *
 * Every cover is typographic: a coloured ground, a geometric figure, the title and the author.
 * Books of one series share their colours and figure; the rest get theirs by their number, so
 * that drawing again gives the same pictures.
 *
 * Needs `sharp` (a development dependency) and a font with Chinese glyphs that fontconfig can
 * find; on Debian: `apt-get install fonts-noto-cjk`.
 *
 * To run it from the project's folder:
 *
 *   npm run build && node dist/src/sample/draw-covers.js src/sample
 *
 * The argument is the folder that holds `data/` and `pictures/`; without it, the folder of the
 * running script.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { FIGURES, HEIGHT, PALETTES, WIDTH } from './cover-figures';

/** The members of a book that show on its cover. */
interface CoverBook {
  id: string;
  title: string;
  subtitle: string;
  author: string[];
  publisher: string;
  series?: { id: string; title: string };
}

/** The members of a user that show in the avatar. */
interface AvatarUser {
  id: string;
  name: string;
}

interface Size {
  suffix: 's' | 'm' | 'l';
  width: number;
  height: number;
}

const SIZES: readonly Size[] = [
  { suffix: 's', width: 65, height: 93 },
  { suffix: 'm', width: 106, height: 152 },
  { suffix: 'l', width: 316, height: 454 },
];

/** The drawing's own units: those of the large cover. */
const AVATAR = 96;
/** No picture may be heavier than this. */
const MAX_BYTES = 20_000;

const SERIF = "'Noto Serif CJK SC', 'Source Han Serif SC', 'SimSun', serif";
const SANS = "'Noto Sans CJK SC', 'Source Han Sans SC', 'Microsoft YaHei', sans-serif";

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

function escape(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** A text's width in ems, near enough: a Chinese character is one, a Latin letter about half. */
function ems(text: string): number {
  let width = 0;
  for (const character of text) {
    width += /[\u2e80-\u9fff\uff00-\uffef]/.test(character)
      ? 1
      : /[A-Z]/.test(character)
        ? 0.68
        : 0.54;
  }
  return width;
}

/** Breaks a title into lines no wider than `limit` ems: Latin between words, Chinese anywhere. */
function wrap(title: string, limit: number): string[] {
  const parts = title.match(/[A-Za-z0-9'’.,&À-ÿ-]+\s*|\s+|./gu) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    if (line && ems((line + part).trim()) > limit) {
      lines.push(line.trim());
      line = part;
    } else {
      line += part;
    }
  }
  if (line.trim()) lines.push(line.trim());
  return lines;
}

/** Wraps, then narrows the lines as far as their number allows, so that none is left short. */
function balance(title: string, limit: number): string[] {
  const widest = wrap(title, limit);
  for (let narrow = ems(title) / widest.length; narrow < limit; narrow += 0.5) {
    const lines = wrap(title, narrow);
    if (lines.length <= widest.length) return lines;
  }
  return widest;
}

/** Splits "书名（全二册）" into the title proper and what stands in the brackets. */
function splitTitle(book: CoverBook): { main: string; note: string } {
  const match = /^(.+?)（(.+)）$/.exec(book.title);
  const main = match?.[1] ?? book.title;
  const note = [match?.[2], book.subtitle].filter(Boolean).join(' · ');
  return { main, note };
}

function byline(authors: string[]): string {
  const shown = authors.slice(0, 2).join(' / ');
  if (authors.length <= 2) return shown;
  return /[\u4e00-\u9fff]/.test(shown) ? `${shown} 等` : `${shown} et al.`;
}

/** The largest size, up to `largest`, at which the text fits the cover's width. */
function fit(text: string, largest: number, room = WIDTH - 48): number {
  return Math.min(largest, room / Math.max(ems(text), 1));
}

function line(
  text: string,
  x: number,
  y: number,
  size: number,
  font: string,
  fill: string,
  extra = '',
): string {
  return `<text x="${x}" y="${y.toFixed(1)}" font-family="${font}" font-size="${size.toFixed(1)}" fill="${fill}" ${extra}>${escape(text)}</text>`;
}

/** The drawing of one cover. The small sizes leave out what could not be read in them. */
function cover(book: CoverBook, size: Size): string {
  const seed = Number(book.id);
  const style = book.series ? Number(book.series.id) * 3 : seed * 5 + 1;
  const palette = pick(PALETTES, style);
  const figure = pick(FIGURES, book.series ? Number(book.series.id) : seed);
  const { main, note } = splitTitle(book);
  const small = size.suffix === 's';

  const largest = ems(main) <= 4 ? 60 : ems(main) <= 8 ? 44 : 34;
  const lines = balance(main, (WIDTH - 48) / largest);
  const fontSize = Math.min(...lines.map((text) => fit(text, largest)));
  const step = fontSize * 1.22;
  const bottom = small ? 420 : note ? 366 : 384;
  const top = bottom - step * (lines.length - 1);

  const texts = lines.map((text, n) =>
    line(text, 24, top + n * step, fontSize, SERIF, palette.text, 'font-weight="bold"'),
  );
  if (!small) {
    const author = byline(book.author);
    if (note) {
      texts.push(line(note, 25, bottom + 26, fit(note, 16), SANS, palette.text, 'opacity="0.85"'));
    }
    texts.push(line(author, 25, 424, fit(author, 18), SANS, palette.text));
  }
  if (size.suffix === 'l') {
    texts.push(line(book.publisher, 25, 443, 11, SANS, palette.text, 'opacity="0.6"'));
  }

  // A ground of the cover's colour keeps a long title readable where it reaches the figure.
  const panel = Math.min(268, top - fontSize - 12);
  return svg(
    size.width,
    size.height,
    WIDTH,
    HEIGHT,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>` +
      figure(palette, seed) +
      `<rect y="${panel.toFixed(1)}" width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>` +
      `<rect x="24" y="${panel.toFixed(1)}" width="46" height="4" fill="${palette.figure}"/>` +
      `<rect width="9" height="${HEIGHT}" fill="#000000" opacity="0.12"/>` +
      texts.join(''),
  );
}

/** An avatar: the first letter or character of the name over two overlapping discs. */
function avatar(user: AvatarUser): string {
  const seed = Number(user.id);
  const palette = pick(PALETTES, seed * 7);
  const [initial = '?'] = user.name;
  return svg(
    AVATAR,
    AVATAR,
    AVATAR,
    AVATAR,
    `<rect width="96" height="96" fill="${palette.ground}"/>` +
      `<circle cx="${16 + ((seed * 29) % 64)}" cy="${20 + ((seed * 17) % 30)}" r="38" fill="${palette.second}"/>` +
      `<circle cx="${(seed * 41) % 96}" cy="92" r="22" fill="${palette.figure}"/>` +
      line(initial, 48, 65, 48, SERIF, palette.text, 'font-weight="bold" text-anchor="middle"'),
  );
}

function defaultCover(size: Size): string {
  return svg(
    size.width,
    size.height,
    WIDTH,
    HEIGHT,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#e4e4e0"/>` +
      `<rect width="9" height="${HEIGHT}" fill="#000000" opacity="0.08"/>` +
      `<g fill="none" stroke="#a9a9a2" stroke-width="9" stroke-linejoin="round">` +
      `<path d="M158 186 C130 166 96 164 66 172 V282 C96 274 130 276 158 296 C186 276 220 274 250 282 V172 C220 164 186 166 158 186 Z"/>` +
      `<path d="M158 186 V296"/></g>`,
  );
}

function defaultAvatar(): string {
  return svg(
    AVATAR,
    AVATAR,
    AVATAR,
    AVATAR,
    `<rect width="96" height="96" fill="#e4e4e0"/>` +
      `<circle cx="48" cy="38" r="18" fill="#a9a9a2"/>` +
      `<path d="M12 96 C12 70 28 62 48 62 C68 62 84 70 84 96 Z" fill="#a9a9a2"/>`,
  );
}

function svg(width: number, height: number, unitsX: number, unitsY: number, body: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${unitsX} ${unitsY}" preserveAspectRatio="none">${body}</svg>`
  );
}

/** Renders a drawing as JPEG, lowering the quality as far as the limit of weight asks. */
async function save(drawing: string, file: string): Promise<void> {
  for (let quality = 88; ; quality -= 6) {
    const jpeg = await sharp(Buffer.from(drawing))
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true })
      .toBuffer();
    if (jpeg.length < MAX_BYTES || quality <= 40) {
      await writeFile(file, jpeg);
      return;
    }
  }
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => JSON.parse(row) as T);
}

async function main(folder: string): Promise<void> {
  const books = await readLines<CoverBook>(join(folder, 'data', 'books.ndjson'));
  const users = await readLines<AvatarUser>(join(folder, 'data', 'users.ndjson'));
  const pictures = join(folder, 'pictures');
  for (const name of ['books', 'users', 'default']) {
    await mkdir(join(pictures, name), { recursive: true });
  }

  for (const book of books) {
    for (const size of SIZES) {
      await save(cover(book, size), join(pictures, 'books', `${book.id}-${size.suffix}.jpg`));
    }
  }
  for (const user of users) {
    await save(avatar(user), join(pictures, 'users', `${user.id}.jpg`));
  }
  for (const size of SIZES) {
    await save(defaultCover(size), join(pictures, 'default', `book-${size.suffix}.jpg`));
  }
  await save(defaultAvatar(), join(pictures, 'default', 'user.jpg'));

  process.stdout.write(`${books.length} covers and ${users.length} avatars in ${pictures}\n`);
}

main(resolve(process.argv[2] ?? __dirname)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
