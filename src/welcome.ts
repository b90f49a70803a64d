import { type Settings } from './config/settings';

/** What a person sees once the service is up: where it is, how to try it, how to stop it. */
export function welcome(settings: Settings, port: number, token: string | undefined): string {
  const base = settings.BASE_URL ?? `http://localhost:${port}`;
  const lines = [`Commonplace serves on ${base} (documentation: ${base}/docs)`];
  if (token !== undefined) {
    lines.push(
      '',
      'Try it:',
      `  curl '${base}/v2/book/1'`,
      `  curl '${base}/v2/book/search?q=%E4%B8%89%E4%BD%93&count=3'`,
      `  curl -H 'Authorization: Bearer ${token}' '${base}/v2/book/1/collection'`,
      '',
      `The token is one of the sample's reader "linmo"; it is good for a week.`,
    );
  }
  lines.push('', `An application of your own: ${base}/service/developer`);
  lines.push('', 'Stop it with Ctrl-C.', '');
  return lines.join('\n');
}
