import { type Palette } from './cover-figures';

/** Size of a still. */
export const STILL = { width: 600, height: 338 } as const;

const { width: W, height: H } = STILL;

/** A person seen from behind; the point is at the feet. */
const person = (x: number, y: number, tall: number, fill: string): string =>
  `<g fill="${fill}"><circle cx="${x}" cy="${y - tall * 0.88}" r="${tall * 0.12}"/>` +
  `<path d="M${x - tall * 0.17} ${y} V${y - tall * 0.55} a${tall * 0.17} ${tall * 0.19} 0 0 1 ${tall * 0.34} 0 V${y} Z"/></g>`;

type Scene = (palette: Palette, seed: number) => string;

/** Scenes of stills; all stills of a film use the same palette. */
export const SCENES: readonly Scene[] = [
  // A person on a plain in front of a low sun.
  (p, seed) =>
    `<circle cx="${180 + (seed % 5) * 60}" cy="190" r="78" fill="${p.figure}"/>` +
    `<path d="M0 ${220 + (seed % 3) * 6} Q150 190 300 222 T600 208 V${H} H0 Z" fill="${p.second}"/>` +
    `<path d="M0 268 Q200 244 600 276 V${H} H0 Z" fill="#000000" opacity="0.35"/>` +
    person(396 - (seed % 4) * 50, 276, 84, '#101014'),
  // A street at night with some windows lit.
  (p, seed) =>
    Array.from({ length: 8 }, (_, n) => {
      const x = n * 78 - 12;
      const top = 54 + ((n * 53 + seed * 29) % 110);
      const windows = Array.from({ length: 10 }, (_, w) =>
        (w * 7 + n * 3 + seed) % 4 === 0
          ? `<rect x="${x + 12 + (w % 2) * 28}" y="${top + 16 + Math.floor(w / 2) * 32}" width="15" height="18" fill="${p.figure}"/>`
          : '',
      );
      return (
        `<rect x="${x}" y="${top}" width="72" height="${H}" fill="${n % 2 ? p.second : '#1b1b22'}"/>` +
        windows.join('')
      );
    }).join('') +
    `<rect y="284" width="${W}" height="60" fill="#0c0c10"/>` +
    person(210 + (seed % 4) * 50, 290, 70, '#050507') +
    person(250 + (seed % 4) * 50, 290, 66, '#050507'),
  // Two people in front of a window.
  (p, seed) =>
    `<rect width="${W}" height="${H}" fill="#16161b"/>` +
    `<rect x="${140 + (seed % 3) * 30}" y="52" width="290" height="200" fill="${p.figure}"/>` +
    `<circle cx="${250 + (seed % 4) * 36}" cy="124" r="34" fill="${p.text}" opacity="0.75"/>` +
    `<path d="M${140 + (seed % 3) * 30} 200 q72 -44 145 -8 t145 -14 v74 h-290 Z" fill="${p.second}"/>` +
    `<path d="M${281 + (seed % 3) * 30} 52 h8 v200 h-8 Z M${140 + (seed % 3) * 30} 148 h290 v8 h-290 Z" fill="#16161b"/>` +
    person(214 + (seed % 3) * 20, 330, 176, '#08080b') +
    person(392 - (seed % 3) * 14, 330, 164, '#08080b'),
  // A boat on the water under the moon.
  (p, seed) =>
    `<circle cx="${420 - (seed % 4) * 70}" cy="98" r="36" fill="${p.text}" opacity="0.9"/>` +
    [0, 1, 2, 3, 4]
      .map(
        (n) =>
          `<path d="M-40 ${196 + n * 26} q40 -16 80 0 t80 0 t80 0 t80 0 t80 0 t80 0 t80 0 t80 0 V${H} H-40 Z" fill="${n % 2 ? p.figure : p.second}" opacity="${(0.9 - n * 0.12).toFixed(2)}"/>`,
      )
      .join('') +
    `<path d="M${150 + (seed % 4) * 40} 226 h120 l-22 26 h-76 Z" fill="#101014"/>` +
    person(204 + (seed % 4) * 40, 230, 58, '#101014'),
];

/** A still: a scene with letterbox bars. */
export function still(palette: Palette, scene: number, seed: number): string {
  const draw = SCENES[scene % SCENES.length] as Scene;
  return (
    `<rect width="${W}" height="${H}" fill="${palette.ground}"/>` +
    draw(palette, seed) +
    `<rect width="${W}" height="26" fill="#000000"/>` +
    `<rect y="${H - 26}" width="${W}" height="26" fill="#000000"/>`
  );
}
