/** Colours of the background, the two figures and the text. */
export interface Palette {
  ground: string;
  figure: string;
  second: string;
  text: string;
}

/** Size of a large cover; figures use its coordinates. */
export const WIDTH = 316;
export const HEIGHT = 454;

export const PALETTES: readonly Palette[] = [
  { ground: '#14213d', figure: '#fca311', second: '#27406f', text: '#ffffff' },
  { ground: '#7b2d26', figure: '#e9c46a', second: '#9c4a3c', text: '#fff6e5' },
  { ground: '#e9e4d4', figure: '#2a6f6b', second: '#c9bf9f', text: '#24302f' },
  { ground: '#f2e9e1', figure: '#b5413b', second: '#dcc7b6', text: '#3a2320' },
  { ground: '#22223b', figure: '#c9ada7', second: '#4a4e69', text: '#f7f3ef' },
  { ground: '#2f4a36', figure: '#e3b65b', second: '#47664d', text: '#f8f4e3' },
  { ground: '#f6f1dc', figure: '#d98324', second: '#e8d8a8', text: '#3b2c16' },
  { ground: '#0f4c5c', figure: '#e36414', second: '#2b6777', text: '#fdf6ee' },
  { ground: '#dfe7ea', figure: '#34536f', second: '#b5c6cf', text: '#1d2b38' },
  { ground: '#4a2545', figure: '#e8a598', second: '#693d63', text: '#fbf1ef' },
  { ground: '#2b2b2b', figure: '#d64933', second: '#4a4a4a', text: '#f4f1ea' },
  { ground: '#f4dfd0', figure: '#4f5d75', second: '#e6bfa5', text: '#2d3142' },
];

export type Figure = (palette: Palette, seed: number) => string;

/** The geometric figures; each fills the upper part of the cover. */
export const FIGURES: readonly Figure[] = [
  // A sun behind hills.
  (p, seed) =>
    `<circle cx="${100 + (seed % 5) * 30}" cy="118" r="58" fill="${p.figure}"/>` +
    `<path d="M0 232 L78 138 L150 214 L226 120 L316 226 V262 H0 Z" fill="${p.second}"/>`,
  // Rings around one point.
  (p, seed) => {
    const cx = 96 + (seed % 4) * 42;
    const rings = [112, 88, 64, 40].map(
      (r, index) =>
        `<circle cx="${cx}" cy="128" r="${r}" fill="none" stroke="${index % 2 ? p.figure : p.second}" stroke-width="9"/>`,
    );
    return rings.join('') + `<circle cx="${cx}" cy="128" r="15" fill="${p.figure}"/>`;
  },
  // Leaning bars.
  (p, seed) =>
    [0, 1, 2, 3, 4, 5]
      .map(
        (n) =>
          `<path d="M${18 + n * 54} ${250} L${48 + n * 54} ${40 + ((n * 37 + seed * 23) % 110)} h20 L${38 + n * 54} 250 Z" fill="${n % 2 ? p.second : p.figure}"/>`,
      )
      .join(''),
  // A grid of dots, one of them highlighted.
  (p, seed) => {
    const lit = (seed * 7) % 30;
    return Array.from({ length: 30 }, (_, n) => {
      const x = 48 + (n % 6) * 44;
      const y = 48 + Math.floor(n / 6) * 42;
      return `<circle cx="${x}" cy="${y}" r="${n === lit ? 19 : 9}" fill="${n === lit ? p.figure : p.second}"/>`;
    }).join('');
  },
  // Waves.
  (p, seed) =>
    `<circle cx="${226 - (seed % 4) * 40}" cy="88" r="42" fill="${p.figure}"/>` +
    [0, 1, 2]
      .map(
        (n) =>
          `<path d="M-20 ${176 + n * 30} q44 -40 88 0 t88 0 t88 0 t88 0" fill="none" stroke="${n === 1 ? p.figure : p.second}" stroke-width="11"/>`,
      )
      .join(''),
  // Nested rotated squares.
  (p, seed) =>
    [104, 78, 52, 26]
      .map(
        (half, n) =>
          `<rect x="${158 - half}" y="${138 - half}" width="${half * 2}" height="${half * 2}" fill="${n % 2 ? p.figure : p.second}" transform="rotate(${n * (10 + (seed % 4) * 4)} 158 138)"/>`,
      )
      .join(''),
  // Quarter circles laid as tiles.
  (p, seed) =>
    Array.from({ length: 12 }, (_, n) => {
      const x = 14 + (n % 4) * 72;
      const y = 28 + Math.floor(n / 4) * 72;
      const turn = ((n * 5 + seed * 3) % 4) * 90;
      return `<path d="M${x} ${y} h72 a72 72 0 0 1 -72 72 Z" fill="${(n + seed) % 3 ? p.second : p.figure}" transform="rotate(${turn} ${x + 36} ${y + 36})"/>`;
    }).join(''),
  // A moon over a window.
  (p, seed) =>
    `<rect x="58" y="36" width="200" height="212" rx="100" fill="${p.second}"/>` +
    `<circle cx="${140 + (seed % 3) * 20}" cy="126" r="46" fill="${p.figure}"/>` +
    `<circle cx="${162 + (seed % 3) * 20}" cy="112" r="40" fill="${p.second}"/>`,
];
