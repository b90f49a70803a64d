import { html, type Html } from '../../web/html';
import { definitions, sectionHead, stats } from '../../web/components';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { consolePage, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import {
  type ApplicationTraffic,
  type DatabaseHealth,
  type HourOfTraffic,
  type Waiting,
} from './today.repository';

/** Contents of the first page. */
export interface Today {
  readonly waiting: Waiting;
  readonly traffic: readonly HourOfTraffic[];
  readonly applications: readonly ApplicationTraffic[];
  readonly health: DatabaseHealth | undefined;
  /** Free bytes of the disk. */
  readonly free: number | undefined;
  readonly redis: boolean;
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

const HEIGHT = 120;
const STEP = 30;

/** Bars of the requests by hour, the refused ones in red. The table below has the numbers. */
function chart(label: string, hours: readonly HourOfTraffic[]): Html {
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
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
    viewBox="0 0 ${hours.length * STEP} ${HEIGHT + 18}"
    role="img"
    aria-label="${label}"
  >
    ${hours.map(
      ({ hour, requests, rejected }, at) =>
        html`<g>
          <title>${hour.slice(11)}: ${requests} / ${rejected}</title>
          ${bar(requests, at, '')}${bar(rejected, at, 'bad')}
          ${at % 6 === 0 && html`<text x="${at * STEP + 3}" y="${HEIGHT + 14}">${hour.slice(11)}</text>`}
        </g>`,
    )}
  </svg>`;
}

export function todayPage(visit: ConsoleVisit, today: Today): Html {
  const { words } = visit;
  const { waiting, traffic, applications, health, free } = today;
  const link = (href: string, value: number): Html => html`<a href="${href}">${value}</a>`;
  const requests = traffic.reduce((sum, hour) => sum + hour.requests, 0);
  const rejected = traffic.reduce((sum, hour) => sum + hour.rejected, 0);
  return consolePage(
    visit,
    { title: words.areas.today, area: 'today' },
    html`<h1>${words.areas.today}</h1>
      ${stats([
        [words.areas.queue, link(CONSOLE.queue, waiting.queue)],
        [words.areas.reports, link(CONSOLE.reports, waiting.reports)],
        [
          words.today.applications,
          link(`${CONSOLE.applications}?state=waiting`, waiting.applications),
        ],
        [words.today.failedJobs, link(`${CONSOLE.transfers}?state=failed`, waiting.jobs)],
      ])}
      ${sectionHead(words.today.traffic)}
      <p>${words.today.requests(requests, rejected)}</p>
      ${chart(words.today.traffic, traffic)}
      ${sectionHead(words.today.topApplications, { href: CONSOLE.applications, label: words.all })}
      ${tableOrNone(
        visit,
        words.today.topApplications,
        [
          words.name,
          { title: words.today.requestsColumn, number: true },
          { title: words.today.rejectedColumn, number: true },
        ],
        applications.map((one) => [
          html`<a href="${CONSOLE.applications}/${one.client_id}">${one.name}</a>`,
          one.requests,
          one.rejected,
        ]),
      )}
      ${sectionHead(words.today.health, { href: CONSOLE.settings, label: words.areas.settings })}
      ${definitions([
        ['Node.js', process.version],
        ['PostgreSQL', health?.postgres],
        [words.today.migration, health?.migration],
        [words.today.database, health && gigabytes(health.bytes)],
        [words.today.connections, health?.connections],
        [words.today.replicas, health?.replicas.join(', ') || words.none],
        ['Redis', today.redis ? words.today.redisUsed : words.today.redisUnused],
        [words.today.disk, free === undefined ? words.none : gigabytes(free)],
        [words.today.pictures, health?.pictures],
      ])}`,
  );
}
