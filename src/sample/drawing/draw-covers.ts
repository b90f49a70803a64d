/**
 * Draws the pictures of the sample catalogue.
 *
 * Reads `data/books.ndjson` and `data/users.ndjson` and writes under `pictures/`:
 *
 *   books/<id>-s.jpg   65 x 93      books/<id>-m.jpg   106 x 152
 *   books/<id>-l.jpg   316 x 454    users/<id>.jpg     96 x 96
 *   default/book-{s,m,l}.jpg and default/user.jpg, the neutral placeholders
 *
 * Every cover has a coloured background, a geometric figure, the title and the author. Books of one
 * series share colours and figure. Those of other books depend on the id, so the output is
 * reproducible.
 *
 * Needs `sharp` and a font with Chinese glyphs that fontconfig can
 * find; on Debian: `apt-get install fonts-noto-cjk` or `fonts-wqy-microhei`.
 *
 * Run it from the project's folder:
 *
 *   node --require ./test/e2e/process/typescript.js src/sample/drawing/draw-covers.ts
 *
 * An argument is the folder that contains `data/` and `pictures/`. The default is `src/sample`.
 */
import { join } from 'node:path';
import { FIGURES, HEIGHT, PALETTES, WIDTH } from './cover-figures';
import {
  SANS,
  SERIF,
  ems,
  fit,
  layoutTitle,
  line,
  pick,
  pictureFolders,
  run,
  save,
  saveSizes,
  svg,
  type Size,
} from './drawing';
import { readLines } from '../lines';

/** The members of a book that its cover shows. */
interface CoverBook {
  id: string;
  title: string;
  subtitle: string;
  author: string[];
  publisher: string;
  series?: { id: string; title: string };
}

/** The members of a user that the avatar shows. */
interface AvatarUser {
  id: string;
  name: string;
}

type CoverSize = Size<'s' | 'm' | 'l'>;

const SIZES: readonly CoverSize[] = [
  { suffix: 's', width: 65, height: 93 },
  { suffix: 'm', width: 106, height: 152 },
  { suffix: 'l', width: 316, height: 454 },
];

/** Size of an avatar. */
const AVATAR = 96;
/** Width of a cover's text area. */
const ROOM = WIDTH - 48;
/** Splits "书名（全二册）" into the main title and the text in the brackets. */
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

/** Draws a cover. Small sizes omit text that would be unreadable. */
function cover(book: CoverBook, size: CoverSize): string {
  const seed = Number(book.id);
  const style = book.series ? Number(book.series.id) * 3 : seed * 5 + 1;
  const palette = pick(PALETTES, style);
  const figure = pick(FIGURES, book.series ? Number(book.series.id) : seed);
  const { main, note } = splitTitle(book);
  const small = size.suffix === 's';

  const largest = ems(main) <= 4 ? 60 : ems(main) <= 8 ? 44 : 34;
  const { lines, size: fontSize } = layoutTitle(main, largest, ROOM);
  const step = fontSize * 1.22;
  const bottom = small ? 420 : note ? 366 : 384;
  const top = bottom - step * (lines.length - 1);

  const texts = lines.map((text, n) =>
    line(text, 24, top + n * step, fontSize, SERIF, palette.text, 'font-weight="bold"'),
  );
  if (!small) {
    const author = byline(book.author);
    if (note) {
      texts.push(
        line(note, 25, bottom + 26, fit(note, 16, ROOM), SANS, palette.text, 'opacity="0.85"'),
      );
    }
    texts.push(line(author, 25, 424, fit(author, 18, ROOM), SANS, palette.text));
  }
  if (size.suffix === 'l') {
    texts.push(line(book.publisher, 25, 443, 11, SANS, palette.text, 'opacity="0.6"'));
  }

  // A background in the cover's colour keeps a long title readable over the figure.
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

function defaultCover(size: CoverSize): string {
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

async function main(folder: string): Promise<void> {
  const books = await readLines<CoverBook>(join(folder, 'data', 'books.ndjson'));
  const users = await readLines<AvatarUser>(join(folder, 'data', 'users.ndjson'));
  const at = await pictureFolders(folder, ['books', 'users', 'default']);
  for (const book of books) {
    await saveSizes(SIZES, (size) => cover(book, size), at('books', book.id));
  }
  for (const user of users) await save(avatar(user), at('users', `${user.id}.jpg`));
  await saveSizes(SIZES, defaultCover, at('default', 'book'));
  await save(defaultAvatar(), at('default', 'user.jpg'));

  process.stdout.write(`${books.length} covers and ${users.length} avatars in ${at()}\n`);
}

run(main);
