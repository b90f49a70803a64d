/**
 * Draws the pictures of the sample's films.
 *
 * Reads `data/movies.ndjson`, `data/celebrities.ndjson` and `data/photos.ndjson` and writes under
 * `pictures/`, in the sizes of specification sections 2.7 and 2.8:
 *
 *   movies/<id>-{s,m,l}.jpg        posters, 64 x 103, 96 x 155, 288 x 465
 *   celebrities/<id>-{s,m,l}.jpg   portraits named in the records, 70 x 100, 140 x 200, 420 x 600
 *   photos/<id>-{icon,thumb,cover,image}.jpg   64 x 64, 120 x 68, 240 x 135, 600 x 338
 *   default/movie-{s,m,l}.jpg, default/celebrity-{s,m,l}.jpg   the placeholders
 *
 * The pictures show nothing from the films: posters have text over a figure, portraits a bust and a
 * name, photos generic scenes. Colours and figures depend on the id, so the output is reproducible.
 *
 * It has the same requirements as `draw-covers.ts`. Run it from the project's folder:
 *
 *   node --require ./test/e2e/process/typescript.js src/sample/drawing/draw-movie-posters.ts
 */
import { join } from 'node:path';
import { FIGURES, PALETTES, type Palette } from './cover-figures';
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
import { STILL, still } from './still-scenes';

/** The members of a subject that its poster shows. */
interface PosterSubject {
  readonly id: string;
  readonly title: string;
  readonly original_title: string;
  readonly year: string;
  readonly subtype: string;
  readonly directors: readonly { readonly name: string }[];
  readonly casts: readonly { readonly name: string }[];
}

/** The members of a celebrity that the portrait shows. */
interface PortraitCelebrity {
  readonly id: string;
  readonly name: string;
  readonly name_en: string;
  readonly avatars?: object;
}

interface PhotoRecord {
  readonly id: string;
  readonly subject_id?: string;
  readonly celebrity_id?: string;
}

type PosterSize = Size<'s' | 'm' | 'l'>;

const POSTERS: readonly PosterSize[] = [
  { suffix: 's', width: 64, height: 103 },
  { suffix: 'm', width: 96, height: 155 },
  { suffix: 'l', width: 288, height: 465 },
];
const PORTRAITS: readonly PosterSize[] = [
  { suffix: 's', width: 70, height: 100 },
  { suffix: 'm', width: 140, height: 200 },
  { suffix: 'l', width: 420, height: 600 },
];
const PHOTOS = [
  { suffix: 'thumb', width: 120, height: 68 },
  { suffix: 'cover', width: 240, height: 135 },
  { suffix: 'image', width: 600, height: 338 },
] as const;
const ICON = 64;

/** Coordinates of posters and portraits. */
const [W, H] = [288, 465];
const [PW, PH] = [420, 600];
const ROOM = W - 40;

const CENTRED = 'text-anchor="middle"';

const paletteOf = (id: string): Palette => pick(PALETTES, Number(id) * 5 + 3);

const rect = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

/** Centred text of a poster, reduced to the maximum width. */
function middle(
  text: string,
  y: number,
  largest: number,
  font: string,
  fill: string,
  extra = '',
): string {
  return line(text, W / 2, y, fit(text, largest, ROOM), font, fill, `${CENTRED} ${extra}`);
}

/** Draws a poster. Smaller sizes omit text that would be unreadable. */
function poster(subject: PosterSubject, size: PosterSize): string {
  const seed = Number(subject.id);
  const palette = paletteOf(subject.id);
  const figure = pick(FIGURES, seed * 3 + Math.floor(seed / 8));
  const large = size.suffix === 'l';
  const [, main = subject.title, season = ''] =
    /^(.+?)(?: (第.+季)|之.{4,})?$/.exec(subject.title) ?? [];
  const rest = season || subject.title.slice(main.length).replace(/^之/, '');

  const most = ems(main) <= 3 ? 62 : ems(main) <= 5 ? 48 : 38;
  const { lines, size: fontSize } = layoutTitle(main, most, ROOM);
  const bottom = large ? 384 : 414;
  const top = bottom - fontSize * 1.2 * (lines.length - 1) - (rest ? 32 : 0);
  const texts = lines.map((text, n) =>
    line(
      text,
      W / 2,
      top + n * fontSize * 1.2,
      fontSize,
      SERIF,
      palette.text,
      `font-weight="bold" ${CENTRED}`,
    ),
  );
  if (rest) texts.push(middle(rest, bottom, 21, SERIF, palette.text));
  if (large) {
    const cast = subject.casts.slice(0, 3).map(({ name }) => name);
    if (ems(cast.join('')) > 20) cast.pop();
    texts.push(middle(cast.join(' / '), 42, 15, SANS, palette.text));
    if (subject.original_title !== subject.title) {
      texts.push(middle(subject.original_title, 408, 14, SANS, palette.text, 'opacity="0.8"'));
    }
    const directors = subject.directors.slice(0, 2).map(({ name }) => name);
    const made = `${directors.join(' / ')} ${subject.subtype === 'tv' ? '剧集' : '作品'}`;
    texts.push(middle(made, 440, 13, SANS, palette.text, 'opacity="0.75"'));
    texts.push(rect(W / 2 - 18, 418, 36, 3, palette.figure));
  }

  const panel = Math.min(318, top - fontSize - 8);
  return svg(
    size.width,
    size.height,
    W,
    H,
    rect(0, 0, W, H, palette.ground) +
      `<g transform="translate(-14 ${(panel - 270).toFixed(1)})">${figure(palette, seed)}</g>` +
      rect(0, Number(panel.toFixed(1)), W, H, palette.ground) +
      texts.join('') +
      `<rect x="7" y="7" width="${W - 14}" height="${H - 14}" fill="none" stroke="${palette.text}" stroke-width="1.5" opacity="0.35"/>`,
  );
}

/** Head and shoulders. */
const bust = (fill: string): string =>
  `<circle cx="210" cy="236" r="94" fill="${fill}"/>` +
  `<path d="M40 600 C40 424 122 372 210 372 C298 372 380 424 380 600 Z" fill="${fill}"/>`;

/** A portrait: a bust on two discs; the larger sizes have the name. */
function portrait(celebrity: PortraitCelebrity, size: PosterSize): string {
  const seed = Number(celebrity.id);
  const palette = pick(PALETTES, seed * 7 + 1);
  const [initial = ''] = celebrity.name;
  const name = (text: string, y: number, largest: number, extra: string): string =>
    line(text, PW / 2, y, fit(text, largest, PW - 60), SERIF, palette.text, `${CENTRED} ${extra}`);
  return svg(
    size.width,
    size.height,
    PW,
    PH,
    rect(0, 0, PW, PH, palette.ground) +
      `<circle cx="${60 + ((seed * 67) % 300)}" cy="${120 + ((seed * 41) % 160)}" r="210" fill="${palette.second}"/>` +
      bust(palette.figure) +
      line(initial, PW / 2, 276, 118, SERIF, palette.ground, `font-weight="bold" ${CENTRED}`) +
      (size.suffix === 's'
        ? ''
        : rect(0, 486, PW, 114, palette.ground) +
          name(celebrity.name, 544, 48, 'font-weight="bold"') +
          name(celebrity.name_en, 580, 22, 'opacity="0.8"')),
  );
}

const GREY = { ground: '#e4e4e0', mark: '#a9a9a2' } as const;

function defaultPoster(size: PosterSize): string {
  const holes = [112, 160, 208, 256, 304].map(
    (y) => rect(72, y, 20, 26, GREY.ground) + rect(196, y, 20, 26, GREY.ground),
  );
  return svg(
    size.width,
    size.height,
    W,
    H,
    rect(0, 0, W, H, GREY.ground) +
      rect(60, 92, 168, 262, GREY.mark) +
      holes.join('') +
      rect(104, 108, 80, 108, GREY.ground) +
      rect(104, 232, 80, 108, GREY.ground),
  );
}

function defaultPortrait(size: PosterSize): string {
  return svg(size.width, size.height, PW, PH, rect(0, 0, PW, PH, GREY.ground) + bust(GREY.mark));
}

async function photo(record: PhotoRecord, scene: number, file: string): Promise<void> {
  const seed = Number(record.id);
  const drawing = still(paletteOf(record.subject_id ?? record.celebrity_id ?? ''), scene, seed);
  const scaled = ({ width, height }: Size<string>): string =>
    svg(width, height, STILL.width, STILL.height, drawing);
  await saveSizes(PHOTOS, scaled, file);
  // Icons are square, so they show the centre.
  const square = `<g transform="translate(${(STILL.height - STILL.width) / 2} 0)">${drawing}</g>`;
  await save(svg(ICON, ICON, STILL.height, STILL.height, square), `${file}-icon.jpg`);
}

run(async (folder) => {
  const read = <T>(name: string): Promise<T[]> => readLines<T>(join(folder, 'data', name));
  const subjects = await read<PosterSubject>('movies.ndjson');
  const celebrities = await read<PortraitCelebrity>('celebrities.ndjson');
  const photos = await read<PhotoRecord>('photos.ndjson');
  const at = await pictureFolders(folder, ['movies', 'celebrities', 'photos', 'default']);

  for (const subject of subjects) {
    await saveSizes(POSTERS, (size) => poster(subject, size), at('movies', subject.id));
  }
  const shown = celebrities.filter(({ avatars }) => avatars !== undefined);
  for (const one of shown) {
    await saveSizes(PORTRAITS, (size) => portrait(one, size), at('celebrities', one.id));
  }
  // The photos of one subject show different scenes.
  const scenes = new Map<string, number>();
  for (const one of photos) {
    const owner = one.subject_id ?? one.celebrity_id ?? '';
    const scene = scenes.get(owner) ?? Number(owner);
    scenes.set(owner, scene + 1);
    await photo(one, scene, at('photos', one.id));
  }
  await saveSizes(POSTERS, defaultPoster, at('default', 'movie'));
  await saveSizes(PORTRAITS, defaultPortrait, at('default', 'celebrity'));
  process.stdout.write(
    `${subjects.length} posters, ${shown.length} portraits, ${photos.length} photos in ${at()}\n`,
  );
});
