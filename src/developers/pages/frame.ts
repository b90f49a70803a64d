import { type ApplicationDetails } from '../../oauth/applications.repository';
import { badge, crumbs, notice, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { flash, page, PATHS, type NavLink, type Visitor } from '../../web/layout';
import { logo } from '../../web/application-logo';
import { developersMessages } from '../messages/messages';
import { pathOf, TABS, TEST_TABS, type Tab } from '../paths';

/** What every tab of an application's page shows. */
export interface ApplicationView {
  readonly visitor: Visitor;
  readonly application: ApplicationDetails;
  /** Contact of the operator (`CONTACT`); empty when it is not set. */
  readonly contact: string;
  /** Formats a day in `TIME_ZONE`. */
  readonly day: (date: Date) => string;
  /** A message about the last form. */
  readonly notice?: string;
  readonly error?: string;
}

/** Why an application is blocked, since when, and the contact of its developer. */
function blockedPart({ visitor, application, contact: fallback, day }: ApplicationView): Piece {
  const words = visitor.messages.developer;
  const more = developersMessages(visitor.messages.lang);
  if (application.blocked_at === null) return undefined;
  const contact = application.blocked_contact || fallback;
  const address = contact.includes('@') ? `mailto:${contact}` : contact;
  return notice(
    'error',
    html`<p><strong>${words.blockedTitle}</strong></p>
      <p>${more.blockedSince(day(application.blocked_at))} ${more.blockedEffect}</p>
      <p>${words.blocked(application.blocked_reason || words.noReason)}</p>
      <p>
        ${words.writeTo}
        ${contact === '' ? words.nobody : html`<a href="${address}">${contact}</a>`}
      </p>`,
  );
}

/** A tab of an application's page. */
export function applicationPage(view: ApplicationView, tab: Tab, body: Piece): Html {
  const { visitor, application, notice: good, error } = view;
  const words = visitor.messages.developer;
  const more = developersMessages(visitor.messages.lang);
  const { test_of: testOf } = application;
  const links = (testOf === null ? TABS : TEST_TABS).map((one) => ({
    href: pathOf(application.client_id, one),
    label: more.tabs[one],
    current: one === tab,
  }));
  const blocked =
    application.blocked_at !== null && html` ${badge(words.states.blocked, 'danger')}`;
  const above: NavLink[] = [{ href: PATHS.developer, label: words.all }];
  if (testOf !== null) above.push({ href: pathOf(testOf), label: more.test.application });
  return page(
    { ...visitor, here: pathOf(application.client_id, tab) },
    { title: application.name },
    html`${crumbs(words.title, above)}
      <div class="named heading">
        ${logo(application.name, application.logo)}
        <h1>${application.name}${blocked}</h1>
      </div>
      ${testOf !== null && html`<p class="soft">${more.test.lead}</p>`}
      ${tabs(more.tabs.label, links)}${blockedPart(view)}${flash('good', good)}${flash('error', error)}
      ${body}`,
  );
}
