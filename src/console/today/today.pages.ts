import { formatNumber } from '../../web/format';
import { html, type Html } from '../../web/html';
import { stats } from '../../web/components';
import { type ConsoleSession } from '../access/console-sessions.service';
import { consolePage } from '../layout';
import { CONSOLE } from '../paths';
import { healthPart } from './health.parts';
import { type Health } from './health.service';
import { type Waiting } from './today.repository';
import { trafficPart, type ShownTraffic } from './traffic.parts';

/** Data of the first page. */
export interface Today {
  readonly waiting: Waiting;
  readonly traffic: ShownTraffic;
  readonly health: Health;
}

export function todayPage(session: ConsoleSession, { waiting, traffic, health }: Today): Html {
  const { words } = session;
  const write = (value: number): string => formatNumber(session.messages.lang, value);
  const link = (href: string, value: number): Html => html`<a href="${href}">${write(value)}</a>`;
  return consolePage(
    session,
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
      ${trafficPart(session, traffic)} ${healthPart(session, health)}`,
  );
}
