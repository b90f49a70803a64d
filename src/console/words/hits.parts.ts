import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { authorAndTime, parentLink, publicPageLink } from '../review/content.parts';
import { type Content } from '../review/content.repository';
import { type WordMatches } from './recent-text-search.service';
import { type RecentText } from './recent-texts.repository';

/** Characters of a text that are shown. */
export const SHOWN_CHARACTERS = 500;

/** A recent text that contains a word, and its current content. */
interface Hit extends RecentText {
  /** Its beginning with the word marked. */
  readonly marked: Piece;
  readonly content: Content | undefined;
}

/** The texts of the last 30 days with a word. */
export interface WordHits extends WordMatches {
  /** False if the search ended before the last text. */
  readonly isComplete: boolean;
  readonly shown: readonly Hit[];
}

/** How many recent texts contain a word, and some of them. */
export function hitsResult(
  session: ConsoleSession,
  { count, alreadyMatched, shown, isComplete }: WordHits,
): Html {
  const { kinds, words } = session.words;
  return html`<p role="status">
      ${words.hits(count)} ${alreadyMatched > 0 && words.alreadyMatched(alreadyMatched)}
      ${count > shown.length && words.shown(shown.length)} ${!isComplete && words.incomplete}
    </p>
    ${shown.map(({ kind, marked, content }) => {
      const about = content && parentLink(content);
      return html`<article class="entry">
        <header>
          <h2>${kinds[kind]}${about !== undefined && html` · ${about}`}</h2>
          ${content && authorAndTime(session, content)}
          ${content && publicPageLink(session, content)}
        </header>
        <blockquote tabindex="0">${marked}</blockquote>
      </article>`;
    })}`;
}
