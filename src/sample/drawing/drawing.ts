/**
 * Helpers of the scripts that draw the sample's pictures: text layout in SVG, and small JPEG files.
 * Text widths are estimates, because SVG does not break lines.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

/** Maximum size of a picture in bytes. */
const MAX_BYTES = 20_000;

export const SERIF = "'Noto Serif CJK SC', 'Source Han Serif SC', 'SimSun', serif";
export const SANS = "'Noto Sans CJK SC', 'Source Han Sans SC', 'Microsoft YaHei', sans-serif";

/** The element of a list at an index modulo its length. */
export function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

function escape(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** Estimated width of a text in ems: a Chinese character is one, a Latin letter about half. */
export function ems(text: string): number {
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

/** Breaks a title into lines of at most `limit` ems, between words or Chinese characters. */
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

/** Wraps a title into lines of similar width, without additional lines. */
function balance(title: string, limit: number): string[] {
  const widest = wrap(title, limit);
  for (let narrow = ems(title) / widest.length; narrow < limit; narrow += 0.5) {
    const lines = wrap(title, narrow);
    if (lines.length <= widest.length) return lines;
  }
  return widest;
}

/** The largest font size up to `largest` at which the text fits into `room`. */
export function fit(text: string, largest: number, room: number): number {
  return Math.min(largest, room / Math.max(ems(text), 1));
}

/** A title in lines. */
interface Title {
  readonly lines: readonly string[];
  /** Its font size. */
  readonly size: number;
}

/** Breaks a title into lines that fit into `room`, at a font size up to `largest`. */
export function layoutTitle(title: string, largest: number, room: number): Title {
  const lines = balance(title, room / largest);
  return { lines, size: Math.min(...lines.map((text) => fit(text, largest, room))) };
}

/** A line of text as SVG; `y` is the baseline, `extra` contains further attributes. */
export function line(
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

/** An SVG of `width` x `height` pixels with its own coordinates. */
export function svg(
  width: number,
  height: number,
  unitsX: number,
  unitsY: number,
  body: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${unitsX} ${unitsY}" preserveAspectRatio="none">${body}</svg>`
  );
}

/** Renders a drawing as JPEG and lowers the quality until it fits `MAX_BYTES`. */
export async function save(drawing: string, file: string): Promise<void> {
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

/** A size in pixels of a picture, and the end of the names of its files. */
export interface Size<Suffix extends string> {
  readonly suffix: Suffix;
  readonly width: number;
  readonly height: number;
}

/** Draws and saves a picture in all sizes. @param file path without suffix */
export async function saveSizes<Suffix extends string>(
  sizes: readonly Size<Suffix>[],
  draw: (size: Size<Suffix>) => string,
  file: string,
): Promise<void> {
  for (const size of sizes) await save(draw(size), `${file}-${size.suffix}.jpg`);
}

/** Creates folders of pictures. @returns the path of a picture */
export async function pictureFolders(
  folder: string,
  names: readonly string[],
): Promise<(...parts: string[]) => string> {
  for (const name of names) await mkdir(join(folder, 'pictures', name), { recursive: true });
  return (...parts) => join(folder, 'pictures', ...parts);
}

/** Runs a drawing script on the folder of the first argument, by default the script's folder. */
export function run(draw: (folder: string) => Promise<void>): void {
  draw(resolve(process.argv[2] ?? join(__dirname, '..'))).catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  });
}
