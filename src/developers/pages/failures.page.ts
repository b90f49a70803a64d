import { type FailedRequest } from '../../limits/request-reports.repository';
import { badge, emptyState } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { developersMessages } from '../messages/messages';
import { applicationPage, type ApplicationView } from './frame';

/** The content of the tab with recent failures. */
export interface FailuresView extends ApplicationView {
  readonly failures: readonly FailedRequest[];
}

/** The first status of errors of the service. */
const SERVER_ERROR = 500;

/** UTC, as in the log of the service. */
const written = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

function failureItem(view: FailuresView, failure: FailedRequest): Html {
  const words = developersMessages(view.visitor.messages.lang);
  const { at, requestId, operation, status, code, detail } = failure;
  const link: Piece =
    code > 0 && html`<a href="${PATHS.docs}/errors/${code}">${words.failures.code(code)}</a>`;
  return html`<li>
    ${badge(status, status >= SERVER_ERROR ? 'danger' : 'warn')}
    ${operation === '*' ? words.noOperation : html`<code>${operation}</code>`}
    <br />${link}${link && detail !== '' && ' · '}${detail} <br /><small class="soft"
      ><time datetime="${at.toISOString()}">${written(at)}</time> · ${words.failures.id}
      <code>${requestId}</code></small
    >
  </li>`;
}

/** The latest failed requests of an application. */
export function failuresPage(view: FailuresView): Html {
  const { tabs, failures: words } = developersMessages(view.visitor.messages.lang);
  return applicationPage(
    view,
    'failures',
    html`<h2>${tabs.failures}</h2>
      <p class="soft">${words.lead}</p>
      ${
        view.failures.length === 0
          ? emptyState(words.none)
          : html`<ul class="plain">
              ${view.failures.map((failure) => failureItem(view, failure))}
            </ul>`
      }`,
  );
}
