import { type DayOfUse } from '../../limits/usage.service';
import { emptyState, table } from '../../web/components';
import { html, type Html } from '../../web/html';
import { applicationPage, type ApplicationView } from './frame';

/** The content of the tab with the use. */
export interface UseView extends ApplicationView {
  readonly use: readonly DayOfUse[];
}

function daysPart({ visitor, use }: UseView): Html {
  const words = visitor.messages.developer;
  const number = (value: number): string => value.toLocaleString(visitor.messages.lang);
  return table(
    words.use,
    [
      { title: words.day },
      { title: words.calls, number: true },
      { title: words.refused, number: true },
      { title: words.peak, number: true },
    ],
    use.map(({ day, requests, rejected, peak, peakLimit }) => [
      day,
      number(requests),
      number(rejected),
      peakLimit > 0 && words.of(number(peak), number(peakLimit)),
    ]),
  );
}

/** The use of an application in the last 30 days. */
export function usePage(view: UseView): Html {
  const words = view.visitor.messages.developer;
  return applicationPage(
    view,
    'use',
    html`<h2>${words.use}</h2>
      ${view.use.length === 0 ? emptyState(words.noUse) : daysPart(view)}`,
  );
}
