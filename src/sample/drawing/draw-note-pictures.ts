/**
 * Draws the pictures of the sample's notes: `pictures/notes/<note>-<number>.jpg`, 640 x 420, each
 * below 30 KB. The scenes are simple, reproducible, and have no text, so they need no font.
 *
 * It requires `sharp`. Run it from the project's folder:
 *
 *   node --require ./test/e2e/process/typescript.js src/sample/drawing/draw-note-pictures.ts
 *
 * An argument is the folder that contains `pictures/`. The default is `src/sample`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { run } from './drawing';

const WIDTH = 640;
const HEIGHT = 420;

const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const shape = (path: string, fill: string): string => `<path d="${path}" fill="${fill}"/>`;

const SPINES = ['#8c3b2e', '#2f5d62', '#d9a441', '#4a4e69', '#a3b18a', '#6d597a', '#b56576'];

/** Three boards of books. */
function shelf(): string {
  const boards = [130, 250, 370].map((floor, row) => {
    let books = '';
    for (let x = 40, at = row * 5; x < 585; at += 1) {
      const width = 16 + ((at * 7) % 5) * 4;
      const height = 62 + ((at * 13) % 6) * 6;
      books += rect(x, floor - height, width, height, SPINES[(at * 3 + row) % 7] ?? '#000');
      x += width + (at % 9 === 8 ? 46 : 2);
    }
    return books + rect(30, floor, 580, 10, '#8a6f4e');
  });
  return rect(0, 0, WIDTH, HEIGHT, '#efe6d8') + boards.join('');
}

/** Hills under stars; `turn` moves them. */
function night(turn: number): string {
  let stars = '';
  for (let at = 0; at < 90; at += 1) {
    stars += disc(
      (at * 197 + turn * 61) % WIDTH,
      (at * 89 + turn * 37) % 250,
      1 + (at % 3),
      '#f4f1de',
    );
  }
  const far = `M0 ${270 - turn * 20} Q160 ${190 + turn * 10} 320 260 T640 ${230 + turn * 15} V420 H0 Z`;
  const near = `M0 ${340 + turn * 10} Q220 ${260 + turn * 20} 400 350 T640 ${330 - turn * 10} V420 H0 Z`;
  const road = 'M300 420 Q360 370 330 345 T380 300 L390 302 Q350 330 372 352 T380 420 Z';
  return (
    rect(0, 0, WIDTH, HEIGHT, '#1d2d50') +
    stars +
    shape(far, '#16213e') +
    shape(near, '#0f172a') +
    (turn === 0 ? shape(road, '#475569') : disc(520, 90, 34, '#f4f1de'))
  );
}

/** An open notebook with ruled lines. */
function notebook(): string {
  const lines = Array.from({ length: 9 }, (_, at) => {
    const y = 120 + at * 24;
    return (
      rect(120, y, 170 - ((at * 37) % 60), 3, '#577590') +
      rect(350, y, 180 - ((at * 53) % 80), 3, '#577590')
    );
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, '#c9ada7') +
    rect(90, 80, 460, 270, '#fffdf7', 'rx="8"') +
    rect(317, 80, 6, 270, '#d6ccc2') +
    lines.join('') +
    rect(470, 300, 130, 12, '#e07a5f', 'transform="rotate(-28 470 300)"')
  );
}

/** A tomato on its stalk. */
function tomato(): string {
  const leaf = (x: number, y: number, turn: number): string =>
    `<ellipse cx="${x}" cy="${y}" rx="70" ry="22" fill="#588157" transform="rotate(${turn} ${x} ${y})"/>`;
  return (
    rect(0, 0, WIDTH, HEIGHT, '#dfe7d3') +
    rect(314, 0, 10, 230, '#3a5a40') +
    leaf(240, 90, 25) +
    leaf(400, 60, -30) +
    leaf(390, 170, 20) +
    disc(320, 285, 88, '#c1121f') +
    disc(290, 255, 18, '#e5646e') +
    leaf(275, 205, -20) +
    leaf(365, 205, 20) +
    disc(470, 330, 40, '#90a955')
  );
}

/** Drawings by note and number. */
const PICTURES: Readonly<Record<string, () => string>> = {
  '1-1': shelf,
  '3-1': () => night(0),
  '3-2': () => night(1),
  '6-1': notebook,
  '8-1': tomato,
};

async function main(folder: string): Promise<void> {
  const notes = join(folder, 'pictures', 'notes');
  await mkdir(notes, { recursive: true });
  for (const [name, draw] of Object.entries(PICTURES)) {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${draw()}</svg>`;
    await sharp(Buffer.from(drawing))
      .jpeg({ quality: 80, mozjpeg: true })
      .toFile(join(notes, `${name}.jpg`));
  }
  process.stdout.write(`${Object.keys(PICTURES).length} pictures in ${notes}\n`);
}

run(main);
