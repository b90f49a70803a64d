import { type Response } from 'express';
import { field, fields } from '../../accounts/browser-sessions.service';
import { malformed, OperationError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { type Actor } from '../../audit/audit.service';
import { notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSessions, type ConsoleSession } from '../access/console-sessions.service';
import { chosen, idsIn, textIn } from '../input';
import { hiddenField } from '../layout';
import { type UndoableDecision } from './undoable.repository';

// Forms that decide several entries at once or undo decisions. They send `decision` and each `id`.
// Undoing sends `undone`, too: each id with the name of its decision.
// The page that follows offers to undo the decisions about the ids in its query parameter `undo`.

/** Handles the forms of a list. */
export interface Decisions<Decision extends string> {
  /** Path of the list. */
  readonly list: string;
  readonly decisions: readonly Decision[];
  /** Decides one entry. */
  readonly decide: (
    decision: Decision,
    id: number,
    actor: Actor,
    comment: string,
  ) => Promise<unknown>;
  /** Undoes the decision with this name about an entry, or the current one. */
  readonly undo: (id: number, actor: Actor, name: string | undefined) => Promise<unknown>;
}

/** Name of the fields that name the decisions to undo. */
const UNDONE = 'undone';

/** The value of such a field. */
const undoneValue = (id: number, name: string): string => `${id} ${name}`;

/** The name of the decision about an entry that a form undoes. */
function undoneName(request: ApiRequest, id: number): string | undefined {
  const start = undoneValue(id, '');
  return fields(request, UNDONE)
    .find((value) => value.startsWith(start))
    ?.slice(start.length);
}

/** Decides each chosen entry. Those that cannot be decided remain, and the page counts them. */
export async function handleDecisions<Decision extends string>(
  sessions: ConsoleSessions,
  request: ApiRequest,
  response: Response,
  { list, decisions, decide, undo }: Decisions<Decision>,
): Promise<void> {
  await sessions.handle(request, response, {}, async (form) => {
    const decision = chosen(field(request, 'decision'), [...decisions, 'undo' as const], undefined);
    if (!decision) throw malformed('unknown decision');
    const done: number[] = [];
    const failures: OperationError[] = [];
    for (const id of idsIn(fields(request, 'id'))) {
      await sessions.requireStillAdministrator(form);
      try {
        const { actor } = form;
        if (decision === 'undo') await undo(id, actor, undoneName(request, id));
        else await decide(decision, id, actor, field(request, 'comment').trim());
        done.push(id);
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        failures.push(error);
      }
    }
    if (done.length === 0 && failures[0]) throw failures[0];
    const undoable = decision === 'undo' ? undefined : done.join(',');
    const failed = failures.length === 0 ? undefined : failures.length;
    const did = undoable === '' ? 'unselected' : undefined;
    return withQuery(list, { undo: undoable, failed, did });
  });
}

const undoForm = (
  session: ConsoleSession,
  action: string,
  undone: readonly UndoableDecision[],
  label: Piece,
  key?: string,
) =>
  html`<form method="post" action="${action}" class="inline">
    ${csrfField(session)}${hiddenField('decision', 'undo')}
    ${undone.map((one) => [
      hiddenField('id', one.id),
      one.name !== undefined && hiddenField(UNDONE, undoneValue(one.id, one.name)),
    ])}
    <button class="small quiet" ${key !== undefined && html`data-key="${key}"`}>${label}</button>
  </form> `;

/**
 * Notices about the previous form of a list: links to undo it and earlier decisions, and the number
 * of entries that could not be decided.
 * @param undoable what the moderator can undo, last decision first
 */
export function decisionResults(
  session: ConsoleSession,
  action: string,
  undoable: readonly UndoableDecision[],
): Piece {
  const { words, request } = session;
  const { query } = request.context;
  const ids = new Set(idsIn(textIn(query.undo).split(',')));
  const decided = undoable.filter(({ id }) => ids.has(id));
  const last = decided.length > 0 ? decided : undoable.slice(0, 1);
  const [failed] = idsIn([textIn(query.failed)]);
  return html`${
    last.length > 0 &&
    notice(
      'good',
      html`${
        decided.length > 0
          ? words.review.decided(decided.length)
          : words.review.undoable(undoable.length)
      }
      ${undoForm(session, action, last, html`${words.review.undo} <kbd aria-hidden="true">u</kbd>`, 'u')}
      ${
        undoable.length > last.length &&
        undoForm(session, action, undoable, words.review.undoAll(undoable.length))
      }`,
    )
  }${failed !== undefined && notice('warn', words.review.failed(failed))}`;
}

/** A button that decides. */
export interface DecisionButton {
  readonly decision: string;
  readonly label: string;
  readonly kind: string;
  /** Key that decides the current entry; in upper case, it decides all selected entries. */
  readonly key: string;
}

/** The form that decides all selected entries. @param more fields beside its buttons */
export const bulkForm = (
  session: ConsoleSession,
  action: string,
  buttons: readonly DecisionButton[],
  more?: Piece,
): Html =>
  html`<form id="bulk" method="post" action="${action}" class="row">
    ${csrfField(session)}
    <span>${session.words.review.selected}</span>
    <button type="button" class="small quiet" data-select data-key="X" hidden>
      ${session.words.review.selectAll} <kbd aria-hidden="true">X</kbd>
    </button>
    ${more}${buttons.map(
      ({ decision, label, kind, key }) =>
        html`<button
          class="${kind}"
          name="decision"
          value="${decision}"
          data-key="${key.toUpperCase()}"
        >
          ${label} <kbd aria-hidden="true">${key.toUpperCase()}</kbd>
        </button> `,
    )}
  </form>`;

/** The box that selects an entry for {@link bulkForm}. */
export const selectBox = ({ words }: ConsoleSession, id: number): Html =>
  html`<label class="choice"
    ><input type="checkbox" name="id" value="${id}" form="bulk" /><span class="hidden"
      >${words.review.select} ${id}</span
    ></label
  >`;

/** The buttons that decide a single entry, between a field and another way. */
export const entryForm = (
  session: ConsoleSession,
  action: string,
  id: number,
  buttons: readonly DecisionButton[],
  more?: Piece,
  end?: Piece,
): Html =>
  html`<form method="post" action="${action}" class="row">
    ${csrfField(session)}${hiddenField('id', id)}${more}
    ${buttons.map(
      ({ decision, label, kind, key }) =>
        html`<button class="${kind}" name="decision" value="${decision}" data-key="${key}">
          ${label} <kbd aria-hidden="true">${key}</kbd>
        </button> `,
    )}${end}
  </form>`;
