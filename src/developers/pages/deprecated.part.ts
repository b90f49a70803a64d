import { type RouteTable } from '../../api/routing/route-table';
import { type DeprecatedUse } from '../../limits/deprecated-usage.service';
import { table } from '../../web/components';
import { html, type Piece } from '../../web/html';
import { type Reader } from '../../web/layout';

const ENGLISH = {
  title: 'Deprecated operations',
  lead: 'The app called these operations in the last 30 days; requests without the required scope do not count. They may be removed after the date.',
  operation: 'Operation',
  requests: 'Requests',
  lastDay: 'Last day',
  sunset: 'Removed after',
  successor: 'Use instead',
};

type Words = typeof ENGLISH;

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  'zh-Hans': {
    title: '已弃用的操作',
    lead: '应用在最近 30 天调用了这些操作，缺少所需权限的请求不计。它们在所示日期之后可能被移除。',
    operation: '操作',
    requests: '请求数',
    lastDay: '最后一天',
    sunset: '移除日期',
    successor: '改用',
  },
  'zh-Hant': {
    title: '已棄用的操作',
    lead: '應用程式在最近 30 天呼叫了這些操作，缺少所需權限的請求不計。它們在所示日期之後可能被移除。',
    operation: '操作',
    requests: '請求數',
    lastDay: '最後一天',
    sunset: '移除日期',
    successor: '改用',
  },
};

/** A deprecated operation that an application called, with what the developer has to do. */
export interface DeprecatedOperation extends DeprecatedUse {
  /** `yyyy-MM-dd`; undefined for an operation that this version does not have. */
  readonly sunset: string | undefined;
  readonly successor: string | undefined;
}

/** Adds sunset and successor of each operation. */
export const deprecatedOperations = (
  uses: readonly DeprecatedUse[],
  { routes }: RouteTable,
): DeprecatedOperation[] =>
  uses.map((use) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === use.operation);
    const { sunset, successor } = route?.deprecation ?? {};
    return { ...use, sunset: sunset?.toISOString().slice(0, 10), successor };
  });

/** The deprecated operations that an application still calls; nothing if there are none (D137). */
export function deprecatedPart(
  { messages }: Reader,
  operations: readonly DeprecatedOperation[],
): Piece {
  if (operations.length === 0) return undefined;
  const words = WORDS[messages.lang] ?? ENGLISH;
  return html`<h2 id="deprecated">${words.title}</h2>
    <p>${words.lead}</p>
    ${table(
      words.title,
      [
        { title: words.operation },
        { title: words.requests, number: true },
        { title: words.lastDay },
        { title: words.sunset },
        { title: words.successor },
      ],
      operations.map(({ operation, requests, lastDay, sunset, successor }) => [
        html`<code>${operation}</code>`,
        requests,
        lastDay,
        sunset,
        successor !== undefined && html`<code>${successor}</code>`,
      ]),
    )}`;
}
