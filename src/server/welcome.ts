import { type Settings } from '../config/settings';

export interface Welcomed {
  /** Additional port for plain HTTP. */
  readonly plainPort?: number;
  /** One-time address that makes the first administrator. */
  readonly setup?: string;
  /** Whether the database has an administrator. */
  readonly hasAdministrator: boolean;
  /** Token of the sample's reader. */
  readonly token?: string;
}

/** The message after the start: the address, examples, and how to stop the service. */
export function welcome(
  settings: Settings,
  { plainPort, token, setup, hasAdministrator }: Welcomed,
): string {
  const base = settings.baseUrl;
  const lines = [`Commonplace serves on ${base} (documentation: ${base}/docs)`];
  if (plainPort !== undefined) lines.push(`Plain HTTP is on http://localhost:${plainPort}`);
  if (token !== undefined) {
    lines.push(
      '',
      'Try it:',
      `  curl '${base}/v2/book/1'`,
      `  curl '${base}/v2/book/search?q=%E4%B8%89%E4%BD%93&count=3'`,
    );
    // Without HTTPS, a server that requires it rejects tokens (D17).
    if (!settings.requireHttps || base.startsWith('https:')) {
      lines.push(
        `  curl -H 'Authorization: Bearer ${token}' '${base}/v2/book/1/collection'`,
        '',
        `The token belongs to the sample user "linmo" and expires in a week.`,
      );
    }
  }
  lines.push('', `Register your own application: ${base}/service/developer`);
  if (setup !== undefined) {
    lines.push(`Become the first administrator (once, within an hour): ${setup}`);
  } else {
    lines.push(`Administration: ${base}/admin`);
    if (!hasAdministrator)
      lines.push('There is no administrator yet. This makes the first: commonplace user setup');
  }
  lines.push('', 'Stop it with Ctrl-C.', '');
  return lines.join('\n');
}
