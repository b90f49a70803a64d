import { createHash } from 'node:crypto';
import { type TestResponse } from '../../harness';
import { hiddenFields, unescaped } from './browser';

/** The challenge on a page. */
export interface AskedChallenge {
  readonly salt: string;
  readonly challenge: string;
  readonly maxnumber: number;
}

/** The challenge on a page, or undefined. */
export function challengeOn({ text }: Pick<TestResponse, 'text'>): AskedChallenge | undefined {
  const [, attributes] = /<div\s+id="challenge"([^>]*)>/.exec(text) ?? [];
  if (attributes === undefined) return undefined;
  const data = (name: string): string =>
    unescaped(new RegExp(`data-${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
  return {
    salt: data('salt'),
    challenge: data('challenge'),
    maxnumber: Number(data('maxnumber')),
  };
}

/** The number that is sought. */
export function solutionOf({ salt, challenge, maxnumber }: AskedChallenge): number {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return number;
  }
  throw new Error('there is no solution');
}

/** The hidden fields of a page that asks for a challenge, with its solution. */
export function solvedFields(page: Pick<TestResponse, 'text'>): Record<string, string> {
  const challenge = challengeOn(page);
  if (!challenge) throw new Error('the page asks for no challenge');
  return { ...hiddenFields(page.text), captcha_solution: String(solutionOf(challenge)) };
}
