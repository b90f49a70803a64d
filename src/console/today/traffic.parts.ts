import { html, type Html } from '../../web/html';
import { sectionHead, tabs } from '../../web/components';
import { formatNumber } from '../../web/format';
import { type ConsoleSession } from '../access/console-sessions.service';
import { tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { barChart } from './chart';
import { byArea, PERIODS, slowestOf, type Period, type Traffic } from './traffic.repository';

/** A period, and its traffic in the time zone of the service. */
export interface ShownTraffic extends Traffic {
  readonly period: Period;
  readonly timeZone: string;
}

const number = (title: string): { readonly title: string; readonly number: true } => ({
  title,
  number: true,
});

/** Requests of a period of all callers, by time, area, route, limit and application. */
export function trafficPart(session: ConsoleSession, traffic: ShownTraffic): Html {
  const { today: words } = session.words;
  const { period, bars, operations, limits, applications } = traffic;
  const write = (value: number): string => formatNumber(session.messages.lang, value);
  const sum = (name: 'succeeded' | 'clientErrors' | 'serverErrors'): number =>
    bars.reduce((all, bar) => all + bar[name], 0);
  const [clientErrors, serverErrors] = [sum('clientErrors'), sum('serverErrors')];
  const all = sum('succeeded') + clientErrors + serverErrors;
  const total = words.total(write(all), write(clientErrors), write(serverErrors));
  const names: Readonly<Record<string, string>> = words.limitNames;
  return html`<div id="traffic">${sectionHead(words.traffic)}</div>
    ${tabs(
      words.period,
      PERIODS.map((one) => ({
        href: one === 'day' ? `${CONSOLE.today}#traffic` : `${CONSOLE.today}?period=${one}#traffic`,
        label: words.periods[one],
        current: one === period,
      })),
    )}
    <p>${total}</p>
    ${barChart(bars, {
      label: `${words.traffic}, ${words.periods[period]}: ${total}`,
      parts: words.parts,
      unit: words.units[period](traffic.timeZone),
      describe: (bar) =>
        words.bar(
          bar.label,
          [bar.succeeded, bar.clientErrors, bar.serverErrors].map(write) as [
            string,
            string,
            string,
          ],
        ),
      number: write,
    })}
    ${sectionHead(words.byArea)}
    ${tableOrNone(
      session,
      words.byArea,
      [words.area, ...words.statuses.map(number)],
      byArea(operations).map(({ area, statuses }) => [words.areas[area], ...statuses.map(write)]),
    )}
    ${sectionHead(words.slowest)}
    ${tableOrNone(
      session,
      words.slowest,
      [words.route, number(words.requestsColumn), number(words.average), number(words.longest)],
      slowestOf(operations).map(({ operation, requests, average, longest }) => [
        html`<code>${operation}</code>`,
        write(requests),
        average.toFixed(1),
        write(Math.round(longest)),
      ]),
    )}
    <div class="columns">
      <div>
        ${sectionHead(words.topApplications, { href: CONSOLE.applications, label: session.words.all })}
        ${tableOrNone(
          session,
          words.topApplications,
          [session.words.name, number(words.requestsColumn), number(words.rejectedColumn)],
          applications.map((one) => [
            html`<a href="${CONSOLE.applications}/${one.client_id}">${one.name}</a>`,
            write(one.requests),
            write(one.rejected),
          ]),
        )}
      </div>
      <div>
        ${sectionHead(words.limits)}
        ${tableOrNone(
          session,
          words.limits,
          [words.limit, number(words.requestsColumn)],
          limits.map(({ name, requests }) => [names[name] ?? name, write(requests)]),
        )}
      </div>
    </div>`;
}
