import { html, type Html } from '../../web/html';
import { type Bar } from './traffic.repository';

const HEIGHT = 120;
const STEP = 30;
/** Bars between two labels. */
const LABEL_EVERY = 6;

/** Bars of requests, with a part in red. @param label describes the chart for screen readers */
export function barChart(label: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const bar = (value: number, at: number, kind: string): Html => {
    const height = Math.round((value / most) * HEIGHT);
    return html`<rect
      x="${at * STEP + 3}"
      y="${HEIGHT - height}"
      width="${STEP - 6}"
      height="${height}"
      class="${kind}"
    />`;
  };
  return html`<svg
    class="chart"
    viewBox="0 0 ${bars.length * STEP} ${HEIGHT + 18}"
    role="img"
    aria-label="${label}"
  >
    ${bars.map(
      (one, at) =>
        html`<g>
          <title>${one.label}: ${one.requests} / ${one.bad}</title>
          ${bar(one.requests, at, '')}${bar(one.bad, at, 'bad')}
          ${at % LABEL_EVERY === 0 && html`<text x="${at * STEP + 3}" y="${HEIGHT + 14}">${one.label}</text>`}
        </g>`,
    )}
  </svg>`;
}
