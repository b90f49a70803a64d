import {
  type AdminApplicationDetails,
  type AdminApplicationRow,
  type ApplicationDecision,
} from '../../oauth/application-details.repository';
import { notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { type ApplicationProfile, type LimitChange } from './applications.repository';

/** A decision in the history of an application. */

/** The scopes and levels that wait for a decision. */
export const waitingSubjects = ({ states }: AdminApplicationRow): string[] =>
  Object.keys(states).filter((subject) => states[subject] === 'asked');

/** What its developer requests and why; renders nothing when nothing waits. */
export function waitingRequest(
  session: ConsoleSession,
  application: AdminApplicationDetails,
): Piece {
  const { applications: texts } = session.words;
  const { noReason } = session.messages.developer;
  const requests = waitingSubjects(application).flatMap(
    (subject) => application.decisions.find((one) => one.subject === subject) ?? [],
  );
  // A request for several subjects has one time and reason.
  const isSame = (one: ApplicationDecision, other: ApplicationDecision): boolean =>
    one.at === other.at && one.reason === other.reason;
  const firsts = requests.filter(
    (one, index) => requests.findIndex((other) => isSame(one, other)) === index,
  );
  return (
    requests.length > 0 &&
    notice(
      'warn',
      html`<strong>${texts.request}</strong> ${firsts.map(
          (first) =>
            html`<p>
                ${requests
                  .filter((one) => isSame(one, first))
                  .map(({ subject }) => html`<code>${subject}</code> `)}
                · ${first.actor} · <time>${first.at}</time>
              </p>
              <blockquote>${first.reason === '' ? noReason : first.reason}</blockquote>`,
        )}`,
    )
  );
}

/** The owner with a link to the user; renders nothing without an owner. */
export const ownerLink = (profile: ApplicationProfile, owner: string | null): Piece =>
  owner !== null &&
  html`<a href="${CONSOLE.users}/${profile.owner_id}">${owner}</a> ${
      profile.owner_name !== owner && profile.owner_name
    }`;

/** Requests, decisions and changes of the custom limit, newest first. */
export function historyTable(
  session: ConsoleSession,
  application: AdminApplicationDetails,
  limits: readonly LimitChange[],
): Html {
  const { words, messages } = session;
  const texts = words.applications;
  const states: Readonly<Record<string, string>> = messages.developer.states;
  const rows = [
    ...limits.map(({ per_hour, ...one }) => ({
      ...one,
      subject: texts.limit,
      state: per_hour === null ? texts.limitOfLevel : String(per_hour),
      reason: '',
    })),
    ...application.decisions.map((one) => ({
      ...one,
      subject: html`<code>${one.subject}</code>`,
      state: states[one.state] ?? one.state,
    })),
  ].sort((one, other) => other.at.localeCompare(one.at));
  return tableOrNone(
    session,
    texts.history,
    [texts.at, texts.subject, words.states.label, texts.actor, words.reason],
    rows.map(({ at, subject, state, actor, reason }) => [at, subject, state, actor, reason]),
  );
}
