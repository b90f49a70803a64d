import { type MergePreview } from '../../admin/records/merges.service';
import { badge, crumbs } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { consolePage, hiddenField, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { memberDifferences } from './fields.parts';
import { mergeSection } from './merge.parts';
import { pathOfType } from './paths';
import { titleOf } from './catalogue.pages';

const wayTo = ({ words }: ConsoleSession, type: string, path: string, title: string): Html => {
  const types: Readonly<Record<string, string>> = words.catalogue.types;
  return crumbs(words.areas.catalogue, [
    { href: withQuery(CONSOLE.catalogue, { type }), label: types[type] ?? type },
    { href: path, label: title },
  ]);
};

/** The form of a merge that is not possible, with the reason. */
export function mergeFormPage(
  session: ConsoleSession,
  type: string,
  { id, title }: { readonly id: number; readonly title: string },
  shown: { readonly into: string; readonly error: string },
): Html {
  return consolePage(
    session,
    { title: session.words.merging.merge, area: 'catalogue' },
    html`${wayTo(session, type, `${pathOfType(type)}/${id}`, title)}
      <h1>${title} (${id})</h1>
      ${mergeSection(session, type, id, [], shown)}`,
  );
}

/** What a merge would do, with the form that does it. */
export function mergePage(
  session: ConsoleSession,
  type: string,
  { id, into }: { readonly id: number; readonly into: number },
  { survivor, other, changes, moved }: MergePreview,
): Html {
  const { words } = session;
  const texts = words.merging;
  const counts: Readonly<Record<string, string>> = texts.counts;
  const path = `${pathOfType(type)}/${id}`;
  const names = Object.keys(changes);
  const before = Object.fromEntries(names.map((name) => [name, survivor[name]]));
  const heading = texts.title(`${titleOf(other)} (${id})`, `${titleOf(survivor)} (${into})`);
  return consolePage(
    session,
    { title: texts.merge, area: 'catalogue' },
    html`${wayTo(session, type, path, titleOf(other))}
      <h1>${heading}</h1>
      <ul>
        <li>
          <a href="${path}">${titleOf(other)} (${id})</a> ${badge(texts.disappears, 'danger')}
        </li>
        <li>
          <a href="${pathOfType(type)}/${into}">${titleOf(survivor)} (${into})</a>
          ${badge(texts.stays, 'good')}
        </li>
      </ul>
      <h2>${texts.moves}</h2>
      ${tableOrNone(
        session,
        texts.moves,
        [words.catalogue.title, { title: texts.rows, number: true }],
        Object.entries(moved).map(([name, count]) => [counts[name] ?? name, count]),
      )}
      ${'double_collections' in moved && html`<p class="soft">${texts.doubleRule}</p>`}
      <h2>${texts.changes}</h2>
      <div class="entry">
        ${names.length === 0 ? html`<p>${texts.noChange}</p>` : memberDifferences(session, type, before, changes)}
      </div>
      <p>${texts.final}</p>
      <form method="post" action="${path}/merge">
        ${csrfField(session)}${hiddenField('into', into)}
        <div class="buttons">
          <button class="danger">${texts.button}</button>
          <a class="button quiet" href="${path}">${words.failure.back}</a>
        </div>
      </form>`,
  );
}
