import { html, type Html } from '../../web/html';
import { type Bar } from './traffic.repository';

/** Height of the drawing in units; it stretches to the height of its element. */
const HEIGHT = 100;
const STEP = 10;
const GAP = 2;
/** Height of the smallest part, so that a few failures among many requests are visible. */
const MIN_PART = 1.5;
/** Bars between two labels. */
const LABEL_EVERY = 6;

/** Parts of a bar from the bottom up. */
const PARTS = ['serverErrors', 'clientErrors', 'succeeded'] as const;

/** The classes of the parts in the style sheet. */
const CLASSES = {
  serverErrors: 'server-errors',
  clientErrors: 'client-errors',
  succeeded: 'succeeded',
} as const;

/** Texts of a chart. */
export interface ChartTexts {
  /** Description for screen readers. */
  readonly label: string;
  /** The names of the parts, for the legend. */
  readonly parts: Readonly<Record<(typeof PARTS)[number], string>>;
  /** Unit and time zone. */
  readonly unit: string;
  /** Text of a bar while the pointer is on it. */
  readonly describe: (bar: Bar) => string;
  readonly number: (value: number) => string;
}

const totalOf = ({ succeeded, clientErrors, serverErrors }: Bar): number =>
  succeeded + clientErrors + serverErrors;

/** The top of the axis in requests: at least 2, and 1, 2, 4, 6, 8 or 10 times a power of ten. */
function axisMaximum(max: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, max))));
  const factor = [1, 2, 4, 6, 8, 10].find((one) => one * power >= max) ?? 10;
  // The middle of the axis is a number of requests, too.
  return Math.max(2, factor * power);
}

/** The parts of a bar, as far as it has them. */
function barParts(bar: Bar, at: number, scale: number): Html[] {
  let top = HEIGHT;
  return PARTS.filter((part) => bar[part] > 0).map((part) => {
    const height = Math.max(MIN_PART, (bar[part] / scale) * HEIGHT);
    top -= height;
    return html`<rect
      class="${CLASSES[part]}"
      x="${at * STEP + GAP / 2}"
      y="${top.toFixed(2)}"
      width="${STEP - GAP}"
      height="${height.toFixed(2)}"
    />`;
  });
}

/**
 * Bars of requests by outcome with axes and a legend. The bars stretch with the page; labels are
 * texts beside the drawing, so that they stay legible on a phone.
 */
export function barChart(bars: readonly Bar[], texts: ChartTexts): Html {
  const scale = axisMaximum(Math.max(...bars.map(totalOf)));
  const width = bars.length * STEP;
  const labels = bars.filter((_bar, at) => at % LABEL_EVERY === 0);
  return html`<figure class="chart">
    <div class="scale" aria-hidden="true">
      ${[scale, scale / 2, 0].map((value) => html`<span>${texts.number(value)}</span>`)}
    </div>
    <svg
      viewBox="0 0 ${width} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${texts.label}"
    >
      ${[0, HEIGHT / 2, HEIGHT].map((y) => html`<line x1="0" x2="${width}" y1="${y}" y2="${y}" />`)}
      ${bars.map(
        (bar, at) =>
          html`<g>
            <title>${texts.describe(bar)}</title>
            <rect class="hover-area" x="${at * STEP}" y="0" width="${STEP}" height="${HEIGHT}" />
            ${barParts(bar, at, scale)}
          </g>`,
      )}
    </svg>
    <div class="times" aria-hidden="true">
      ${labels.map(({ label }) => html`<span>${label}</span>`)}
    </div>
    <figcaption>
      ${[...PARTS].reverse().map((part) => html`<span class="${CLASSES[part]}">${texts.parts[part]}</span>`)}
      <span class="unit">${texts.unit}</span>
    </figcaption>
  </figure>`;
}
