import { type HourOfUse } from '../../limits/request-reports.repository';
import { html, type Html } from '../../web/html';

const HOUR = 3600;
/** Hours in the chart, of one unit each. */
const HOURS = 30 * 24;
const HEIGHT = 100;

/** Texts of the chart. */
export interface ChartWords {
  readonly label: string;
  readonly accepted: string;
  readonly rejected: string;
}

/** One bar of the path; empty for a height of zero. */
function bar(hour: number, from: number, to: number, most: number): string {
  if (from === to) return '';
  const y = (value: number): string => (HEIGHT - (value / most) * HEIGHT).toFixed(1);
  return `M${hour} ${y(from)}V${y(to)}h1V${y(from)}z`;
}

/**
 * A chart of the requests by hour in the last 30 days: accepted ones below, rejected ones above.
 *
 * @param now seconds since 1970
 * @param day formats a day
 */
export function hoursChart(
  hours: readonly HourOfUse[],
  now: number,
  words: ChartWords,
  number: (value: number) => string,
  day: (date: Date) => string,
): Html {
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  const end = Math.floor(now / HOUR) * HOUR;
  const path = (of: (hour: HourOfUse) => readonly [from: number, to: number]): string =>
    hours
      .map((hour) => bar(HOURS - 1 - Math.round((end - hour.at) / HOUR), ...of(hour), most))
      .join('');
  const dayOf = (seconds: number): string => day(new Date(seconds * 1000));
  return html`<figure class="hours">
    <div class="soft">${number(most)}</div>
    <svg
      viewBox="0 0 ${HOURS} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${words.label}"
    >
      <path class="accepted" d="${path(({ requests, rejected }) => [0, requests - rejected])}" />
      <path
        class="rejected"
        d="${path(({ requests, rejected }) => [requests - rejected, requests])}"
      />
    </svg>
    <div class="days soft">
      <span>${dayOf(end - (HOURS - 1) * HOUR)}</span><span>${dayOf(end)}</span>
    </div>
    <figcaption class="soft">
      <span class="key accepted"></span> ${words.accepted}
      <span class="key rejected"></span> ${words.rejected}
    </figcaption>
  </figure>`;
}
