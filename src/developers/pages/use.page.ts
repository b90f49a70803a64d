import { type RequestReport } from '../../limits/request-reports.repository';
import { type DayOfUse } from '../../limits/usage.service';
import { emptyState, table } from '../../web/components';
import { formatNumber } from '../../web/format';
import { html, type Html, type Piece } from '../../web/html';
import { developersMessages } from '../messages/messages';
import { applicationPage, type ApplicationView } from './frame';
import { hoursChart } from './hours-chart.part';

/** The content of the tab with the use. */
export interface UseView extends ApplicationView {
  readonly use: readonly DayOfUse[];
  readonly report: RequestReport;
  /** Seconds since 1970. */
  readonly now: number;
}

const numberIn =
  ({ visitor }: UseView) =>
  (value: number): string =>
    formatNumber(visitor.messages.lang, value);

function daysPart(view: UseView): Piece {
  const words = view.visitor.messages.developer;
  const more = developersMessages(view.visitor.messages.lang);
  const number = numberIn(view);
  if (view.use.length === 0) return undefined;
  return html`<h2>${more.use.days}</h2>
    ${table(
      more.use.days,
      [
        { title: words.day },
        { title: words.calls, number: true },
        { title: words.refused, number: true },
        { title: words.peak, number: true },
      ],
      [...view.use]
        .reverse()
        .map(({ day, requests, rejected, peak, peakLimit }) => [
          day,
          number(requests),
          number(rejected),
          peakLimit > 0 && words.of(number(peak), number(peakLimit)),
        ]),
    )}`;
}

function operationsPart(view: UseView): Piece {
  const { developer: words, lang } = view.visitor.messages;
  const more = developersMessages(lang);
  const number = numberIn(view);
  const { operations } = view.report;
  if (operations.length === 0) return undefined;
  return html`<h2>${more.use.operations}</h2>
    ${table(
      more.use.operations,
      [
        { title: more.use.operation },
        { title: words.calls, number: true },
        { title: more.use.failed, number: true },
        { title: words.refused, number: true },
      ],
      operations.map(({ operation, requests, failed, rejected }) => [
        operation === '*' ? more.noOperation : html`<code>${operation}</code>`,
        number(requests),
        number(failed),
        number(rejected),
      ]),
    )}`;
}

/** Statuses and limits with their requests. */
function countsPart(
  view: UseView,
  title: string,
  column: string,
  counts: readonly (readonly [name: Piece, requests: number])[],
): Piece {
  if (counts.length === 0) return undefined;
  const number = numberIn(view);
  return html`<h2>${title}</h2>
    ${table(
      title,
      [{ title: column }, { title: view.visitor.messages.developer.calls, number: true }],
      counts.map(([name, requests]) => [name, number(requests)]),
    )}`;
}

/** The use of an application in the last 30 days. */
export function usePage(view: UseView): Html {
  const { developer: words, lang } = view.visitor.messages;
  const { use: more } = developersMessages(lang);
  const { hours, statuses, limits } = view.report;
  const number = numberIn(view);
  const isUnused = view.use.length === 0 && view.report.operations.length === 0;
  const most = Math.max(0, ...hours.map(({ requests }) => requests));
  const chartWords = {
    label: more.chart(number(most)),
    accepted: more.accepted,
    rejected: words.refused,
  };
  return applicationPage(
    view,
    'use',
    html`<h2>${more.title}</h2>
      ${isUnused && emptyState(words.noUse)}
      ${hours.length > 0 && hoursChart(hours, view.now, chartWords, number, view.day)}
      ${operationsPart(view)}
      ${countsPart(
        view,
        more.statuses,
        more.status,
        statuses.map(({ status, requests }) => [status, requests]),
      )}
      ${countsPart(
        view,
        more.limits,
        more.limit,
        limits.map(({ refusedBy, requests }) => [more.limitNames[refusedBy], requests]),
      )}
      ${daysPart(view)}`,
  );
}
