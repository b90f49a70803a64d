import { type LimitName } from '../../config/limit-settings';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';

/** A rate limit and its current value. */
export interface LimitInForce {
  readonly name: LimitName;
  readonly value: number;
  /** The value without a change by administrators. */
  readonly inSettings: string;
  readonly from: 'database' | 'settings';
}

/** A setting and its current value. */
export interface SettingInForce {
  readonly name: string;
  /** Undefined for secrets and for settings without a value. */
  readonly value: string | undefined;
  /** Whether it has a value that is not shown. */
  readonly isSecret: boolean;
  readonly source: 'byDefault' | 'derived' | 'fromEnvironment';
}

export function settingsPage(
  session: ConsoleSession,
  limits: readonly LimitInForce[],
  settings: readonly SettingInForce[],
): Html {
  const { words } = session;
  const texts = words.settings;
  const limitForm = ({ name, value }: LimitInForce): Html =>
    html`<form method="post" action="${CONSOLE.settings}/limits/${name}" class="row">
      ${csrfField(session)}
      <label
        ><span class="hidden">${name}</span
        ><input type="number" name="value" min="0" value="${value}" required
      /></label>
      <button class="small quiet">${words.save}</button>
    </form>`;
  return consolePage(
    session,
    { title: words.areas.settings, area: 'settings' },
    html`<h1>${words.areas.settings}</h1>
      <h2>${texts.limits}</h2>
      <p>${texts.limitsHint}</p>
      ${tableOrNone(
        session,
        texts.limits,
        [texts.name, texts.value, texts.source, ''],
        limits.map((limit) => [
          html`<code>${limit.name}</code>
            <div class="soft small">${texts.limitNames[limit.name]}</div>`,
          limitForm(limit),
          limit.from === 'database'
            ? html`${texts.fromConsole}
                <div class="soft small">${texts.settingsValue(limit.inSettings)}</div>`
            : texts.fromSettings,
          limit.from === 'database' &&
            buttonForm(session, {
              action: `${CONSOLE.settings}/limits/${limit.name}`,
              label: texts.reset,
              fields: { value: '' },
            }),
        ]),
      )}
      <h2>${texts.inForce}</h2>
      <p>${texts.inForceHint}</p>
      ${tableOrNone(
        session,
        texts.inForce,
        [texts.name, texts.value, texts.source],
        settings.map(({ name, value, isSecret, source }) => [
          html`<code>${name}</code>`,
          isSecret || value === undefined || value === ''
            ? html`<span class="soft">${isSecret ? texts.secret : texts.unset}</span>`
            : value,
          texts[source],
        ]),
      )}`,
  );
}
