/**
 * Draws the posters of the sample's events.
 *
 * Reads `data/events.ndjson` and writes under `pictures/`:
 *
 *   events/<id>-m.jpg   168 x 241, medium     events/<id>-h.jpg   400 x 574, large
 *   events/<id>-l.jpg   300 x 431, mobile     default/event-{m,h,l}.jpg, the placeholders
 *
 * The posters are like book covers, but with the text above the figure. Colours and figure depend
 * on the event's id, so the output is reproducible.
 *
 * It has the same requirements as `draw-covers.ts`. Run it from the project's folder:
 *
 *   node --require ./test/e2e/process/typescript.js src/sample/drawing/draw-posters.ts
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
  saveSizes,
  svg,
  type Size,
} from './drawing';
import { readLines } from '../lines';

/** The members of an event that its poster shows. */
interface PosterEvent {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly address: string;
}

type PosterSize = Size<'m' | 'h' | 'l'>;

const SIZES: readonly PosterSize[] = [
  { suffix: 'm', width: 168, height: 241 },
  { suffix: 'h', width: 400, height: 574 },
  { suffix: 'l', width: 300, height: 431 },
];

const WORDS: Readonly<Record<string, string>> = {
  music: '音乐',
  drama: '戏剧',
  exhibition: '展览',
  salon: '讲座',
  party: '聚会',
  sports: '运动',
  travel: '旅行',
  commonweal: '公益',
  film: '电影',
};

const ROOM = WIDTH - 44;
/** Vertical offset of the figures, which are designed for the upper part of a cover. */
const DOWN = 150;

/** Splits "主标题：副标题" into title and subtitle. */
function splitTitle(title: string): { main: string; rest: string } {
  const [, main, rest] = /^(.+?)(?:：|: |（)(.+?)）?$/.exec(title) ?? [];
  return { main: main ?? title, rest: rest ?? '' };
}

/** Draws a poster. The medium size omits text that would be unreadable. */
function poster(event: PosterEvent, size: PosterSize): string {
  const seed = Number(event.id);
  const palette = pick(PALETTES, seed * 7 + 3);
  const figure = pick(FIGURES, seed * 3 + 1);
  const { main, rest } = splitTitle(event.title);

  const largest = ems(main) <= 5 ? 46 : ems(main) <= 12 ? 38 : 30;
  const { lines, size: fontSize } = layoutTitle(main, largest, ROOM);
  const step = fontSize * 1.24;
  const top = 26 + fontSize;
  const bottom = top + step * (lines.length - 1);

  const texts = lines.map((text, n) =>
    line(text, 22, top + n * step, fontSize, SERIF, palette.text, 'font-weight="bold"'),
  );
  const word = WORDS[event.category] ?? '活动';
  texts.push(
    `<rect x="234" y="420" width="60" height="27" rx="13.5" fill="${palette.figure}"/>`,
    line(word, 264, 439.5, 17, SANS, palette.ground, 'text-anchor="middle" font-weight="bold"'),
  );
  if (rest) {
    texts.push(line(rest, 23, bottom + 30, fit(rest, 19, ROOM), SANS, palette.text));
  }
  if (size.suffix !== 'm') {
    texts.push(line(event.address, 22, 438, fit(event.address, 14, 200), SANS, palette.text));
  }

  // A background in the poster's colour keeps title and footer readable over the figure.
  return svg(
    size.width,
    size.height,
    WIDTH,
    HEIGHT,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>` +
      `<g transform="translate(0 ${DOWN})">${figure(palette, seed)}</g>` +
      `<rect width="${WIDTH}" height="${(bottom + (rest ? 44 : 20)).toFixed(1)}" fill="${palette.ground}"/>` +
      `<rect y="412" width="${WIDTH}" height="42" fill="${palette.ground}"/>` +
      `<rect y="410" width="${WIDTH}" height="3" fill="${palette.figure}"/>` +
      texts.join(''),
  );
}

/** The default poster without text: a calendar sheet. */
function defaultPoster(size: PosterSize): string {
  return svg(
    size.width,
    size.height,
    WIDTH,
    HEIGHT,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#e4e4e0"/>` +
      `<g fill="none" stroke="#a9a9a2" stroke-width="9" stroke-linejoin="round" stroke-linecap="round">` +
      `<rect x="68" y="150" width="180" height="168" rx="10"/>` +
      `<path d="M68 198 H248 M112 132 V168 M204 132 V168"/></g>` +
      `<g fill="#a9a9a2"><circle cx="116" cy="234" r="11"/><circle cx="158" cy="234" r="11"/>` +
      `<circle cx="200" cy="234" r="11"/><circle cx="116" cy="280" r="11"/><circle cx="158" cy="280" r="11"/></g>`,
  );
}

async function main(folder: string): Promise<void> {
  const events = await readLines<PosterEvent>(join(folder, 'data', 'events.ndjson'));
  const at = await pictureFolders(folder, ['events', 'default']);
  for (const event of events) {
    await saveSizes(SIZES, (size) => poster(event, size), at('events', event.id));
  }
  await saveSizes(SIZES, defaultPoster, at('default', 'event'));
  process.stdout.write(`${events.length} posters in ${at()}\n`);
}

run(main);
