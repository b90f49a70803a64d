import { type Page } from '../../api/resources/page';
import { type Action, type BannedWord } from '../../moderation/matcher';
import { type WordRow } from '../../moderation/words.repository';
import { crumbs, notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, pager, select, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { highlighted } from '../review/highlight';
import { hitsResult, type WordHits } from './hits.parts';

export const WORD_COUNT = 100;

/** A text or word that was tried. */
export interface Trial {
  readonly text: string;
  /** What would happen to the text. */
  readonly verdict: 'accepted' | Action;
  readonly found: readonly string[];
  readonly word: string;
  /** Texts of the last 30 days with the word; undefined when no word was tried. */
  readonly hits: WordHits | undefined;
}

function trialResult({ words }: ConsoleSession, trial: Trial): Piece {
  const { verdict, found, text } = trial;
  if (text === '') return undefined;
  const kind = verdict === 'accepted' ? 'good' : verdict === 'hold' ? 'warn' : 'error';
  return notice(
    kind,
    html`<p>${words.words.verdicts[verdict]} ${found.length > 0 && found.join(', ')}</p>
      <blockquote>${highlighted(text, found)}</blockquote>`,
  );
}

/** The form that adds words. */
function addForm(session: ConsoleSession, lines: string, action: Action): Html {
  const texts = session.words.words;
  return html`<form method="post" action="${CONSOLE.words}/add">
    ${csrfField(session)}
    <label>${texts.lines} <textarea name="words" required>${lines}</textarea></label>
    ${select('action', texts.action, Object.entries(texts.actions), action)}
    <button>${texts.add}</button>
    <button class="quiet" formaction="${CONSOLE.words}/preview">${texts.previewButton}</button>
  </form>`;
}

/** Offers to add a removed word again. */
function restoreForm(session: ConsoleSession, removed: BannedWord | undefined): Piece {
  if (!removed) return undefined;
  const { word, action } = removed;
  return html`<p>
    ${session.words.words.removed(word)}
    ${buttonForm(session, {
      action: `${CONSOLE.words}/add`,
      label: session.words.review.undo,
      fields: { words: word, action },
    })}
  </p>`;
}

/** Data of the page of words. */
export interface WordsPage {
  /** The filter of the list; undefined for all words. */
  readonly action: Action | undefined;
  readonly page: Page<WordRow>;
  readonly trial: Trial;
  /** The word that the administrator has just removed. */
  readonly removed: BannedWord | undefined;
}

export function wordsPage(
  session: ConsoleSession,
  { action, page, trial, removed }: WordsPage,
): Html {
  const { words } = session;
  const texts = words.words;
  const actions: readonly (readonly [string, string])[] = [
    ['refuse', texts.actions.refuse],
    ['hold', texts.actions.hold],
  ];
  return consolePage(
    session,
    { title: words.areas.words, area: 'words' },
    html`<h1>${words.areas.words}</h1>
      ${restoreForm(session, removed)}
      <h2>${texts.add}</h2>
      ${addForm(session, trial.word, 'hold')}
      <div class="columns">
        <form action="${CONSOLE.words}">
          <label
            >${texts.tryText} <textarea name="text" maxlength="2000">${trial.text}</textarea>
          </label>
          <button class="quiet">${texts.tryButton}</button>
        </form>
        <form action="${CONSOLE.words}">
          <label
            >${texts.tryWord} <input type="text" name="word" value="${trial.word}" maxlength="100"
          /></label>
          <button class="quiet">${texts.tryButton}</button>
        </form>
      </div>
      ${trialResult(session, trial)} ${trial.hits && hitsResult(session, trial.hits)}
      <h2>${texts.list}</h2>
      <form class="row" action="${CONSOLE.words}">
        ${select('action', texts.action, [['', words.any], ...actions], action ?? '')}
        <button class="quiet">${words.search}</button>
      </form>
      ${tableOrNone(
        session,
        texts.list,
        [texts.word, texts.action, ''],
        page.items.map((row) => [
          row.word,
          texts.actions[row.action],
          buttonForm(session, {
            action: `${CONSOLE.words}/remove`,
            label: texts.remove,
            fields: { id: row.id },
            kind: 'small danger',
          }),
        ]),
      )}
      ${pager(session, { ...page, count: WORD_COUNT }, (start) =>
        withQuery(CONSOLE.words, { action, start }),
      )}`,
  );
}

/** Where words occur in recent texts, with the form that adds them. */
export function wordPreviewPage(
  session: ConsoleSession,
  { lines, action }: { readonly lines: string; readonly action: Action },
  found: readonly WordHits[],
): Html {
  const { words } = session;
  return consolePage(
    session,
    { title: words.words.previewButton, area: 'words' },
    html`${crumbs(words.areas.words, [{ href: CONSOLE.words, label: words.areas.words }])}
      <h1>${words.words.previewButton}</h1>
      ${found.map(
        (one) =>
          html`<h2>${one.word}: ${words.words.actions[action]}</h2>
            ${hitsResult(session, one)}`,
      )}
      <h2>${words.words.add}</h2>
      ${addForm(session, lines, action)}`,
  );
}
