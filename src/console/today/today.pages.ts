import { html, type Html } from '../../web/html';
import { definitions, sectionHead, stats } from '../../web/components';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { consolePage, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { barChart } from './chart';
import { type ApplicationTraffic, type DatabaseHealth, type Waiting } from './today.repository';
import { type Bar, type Traffic } from './traffic.repository';

/** Contents of the first page. */
export interface Today {
  readonly waiting: Waiting;
  /** Requests of applications in the last 24 hours. */
  readonly hours: readonly Bar[];
  readonly traffic: Traffic;
  readonly applications: readonly ApplicationTraffic[];
  readonly health: DatabaseHealth | undefined;
  /** Free bytes of the disk. */
  readonly free: number | undefined;
  readonly redis: boolean;
  /** Time of the last backup by this service; undefined for none. */
  readonly backup: string | undefined;
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

const number = (title: string): { readonly title: string; readonly number: true } => ({
  title,
  number: true,
});

/** Requests of the last 30 days of all callers. */
function trafficParts(visit: ConsoleVisit, { days, areas, limits, slowest }: Traffic): Html {
  const { today: words } = visit.words;
  const sum = (name: 'requests' | 'bad'): number => days.reduce((all, day) => all + day[name], 0);
  return html`${sectionHead(words.month)}
    <p>${words.monthSum(sum('requests'), sum('bad'))}</p>
    ${barChart(words.month, days)}
    <div class="columns">
      <div>
        ${sectionHead(words.areas)}
        ${tableOrNone(
          visit,
          words.areas,
          [words.area, ...words.statuses.map(number)],
          areas.map(({ area, statuses }) => [area, ...statuses]),
        )}
      </div>
      <div>
        ${sectionHead(words.limits)}
        ${tableOrNone(
          visit,
          words.limits,
          [words.limit, number(words.requestsColumn)],
          limits.map(({ refused_by, requests }) => [refused_by, requests]),
        )}
      </div>
    </div>
    ${sectionHead(words.slowest)}
    ${tableOrNone(
      visit,
      words.slowest,
      [words.route, number(words.requestsColumn), number(words.average), number(words.longest)],
      slowest.map(({ operation, requests, average, longest }) => [
        html`<code>${operation}</code>`,
        requests,
        average.toFixed(1),
        Math.round(longest),
      ]),
    )}`;
}

export function todayPage(visit: ConsoleVisit, today: Today): Html {
  const { words } = visit;
  const { waiting, hours, applications, health, free } = today;
  const link = (href: string, value: number): Html => html`<a href="${href}">${value}</a>`;
  const requests = hours.reduce((sum, hour) => sum + hour.requests, 0);
  const rejected = hours.reduce((sum, hour) => sum + hour.bad, 0);
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
      ${barChart(words.today.traffic, hours)} ${trafficParts(visit, today.traffic)}
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
        [words.today.backup, today.backup ?? words.today.noBackup],
      ])}`,
  );
}
