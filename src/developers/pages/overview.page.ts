import { type DayOfUse } from '../../limits/usage.service';
import { currentStates } from '../../oauth/approvals.service';
import { LIFETIMES } from '../../oauth/lifetimes';
import { codeBlock, definitions, stats } from '../../web/components';
import { formatNumber } from '../../web/format';
import { html, type Html } from '../../web/html';
import { PATHS } from '../../web/layout';
import { developersMessages } from '../messages/messages';
import { deprecatedPart, type DeprecatedOperation } from './deprecated.part';
import { applicationPage, type ApplicationView } from './frame';

const DAY = 24 * 3600;

/** The content of the overview. */
export interface OverviewView extends ApplicationView {
  /** Requests per user and hour; null for no limit. */
  readonly perHour: number | null;
  readonly use: readonly DayOfUse[];
  /** Deprecated operations that it called in the last 30 days. */
  readonly deprecated: readonly DeprecatedOperation[];
  /** Base URL of the API without a trailing slash. */
  readonly baseUrl: string;
}

function tryPart({ visitor, application, baseUrl }: OverviewView): Html {
  const key = encodeURIComponent(application.client_id);
  const [uri] = application.redirect_uris;
  const query = `response_type=code&client_id=${key}&redirect_uri=${encodeURIComponent(uri ?? '')}`;
  // A public application must send a PKCE challenge, which only its own code can create.
  const address = !application.public && uri !== undefined && `${PATHS.authorize}?${query}`;
  return html`<h2>${visitor.messages.developer.tryIt}</h2>
    ${codeBlock(`curl '${baseUrl}/v2/book/1?apikey=${key}'`)}
    ${address !== false && html`<p class="address"><a href="${address}">${address}</a></p>`}`;
}

/** The key, the level and the use of an application at a glance. */
export function overviewPage(view: OverviewView): Html {
  const { visitor, application, perHour, day, use } = view;
  const { messages } = visitor;
  const words = messages.developer;
  const more = developersMessages(messages.lang);
  const number = (value: number): string => formatNumber(messages.lang, value);
  const { access, refresh } = LIFETIMES[application.level];
  const states = [...currentStates(application.decisions).values()];
  const sum = (of: (one: DayOfUse) => number): string =>
    number(use.reduce((total, one) => total + of(one), 0));
  return applicationPage(
    view,
    'overview',
    html`${stats([
      [more.requests30, sum(({ requests }) => requests)],
      [more.rejected30, sum(({ rejected }) => rejected)],
      [more.scopesHeld, number(application.scopes.length)],
      [more.waiting, number(states.filter(({ state }) => state === 'asked').length)],
    ])}
    ${definitions([
      [words.key, html`<code id="client_id">${application.client_id}</code>`],
      [words.made, day(application.created_at)],
      [words.level, `${application.level} · ${words.tokens(access / DAY, refresh / DAY)}`],
      [words.limit, perHour === null ? words.noLimit : words.perHour(number(perHour))],
    ])}
    ${deprecatedPart(visitor, view.deprecated)}${tryPart(view)}`,
  );
}
