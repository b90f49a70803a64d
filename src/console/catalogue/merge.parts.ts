import { type RecordRow } from '../../import-export/engine/record-lists';
import { html, type Html, type Piece } from '../../web/html';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { pathOfType } from './paths';

/**
 * The part of a record's page that leads to a merge.
 * @param same records with the same title
 * @param shown the entry of a form that is shown again, and what is wrong with it
 */
export function mergeSection(
  { words }: ConsoleSession,
  type: string,
  id: number,
  same: readonly RecordRow[],
  { into = '', error }: { readonly into?: string; readonly error?: string } = {},
): Html {
  const texts = words.merging;
  const path = `${pathOfType(type)}/${id}/merge`;
  return html`<h2>${texts.merge}</h2>
    <p>${texts.hint}</p>
    ${
      same.length > 0 &&
      html`<p>${texts.same}:</p>
        <ul>
          ${same.map(
            (row) =>
              html`<li>
                <a href="${withQuery(path, { into: row.id })}">${row.title} (${row.id})</a>
              </li>`,
          )}
        </ul>`
    }
    ${error !== undefined && html`<p class="field-error" id="error-into" role="alert">${error}</p>`}
    <form class="row" action="${path}">
      <label
        >${texts.into}
        <input
          type="text"
          name="into"
          inputmode="numeric"
          value="${into}"
          required
          ${error !== undefined && html`aria-invalid="true" aria-describedby="error-into"`}
        />
      </label>
      <button class="quiet">${texts.preview}</button>
    </form>`;
}

/** The link to the record into which a record was merged. */
export const survivorLink = ({ words }: ConsoleSession, type: string, survivor: number): Piece =>
  html`<p>
    ${words.merging.mergedInto} <a href="${pathOfType(type)}/${survivor}">${survivor}</a>
  </p>`;
