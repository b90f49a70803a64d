import { fold } from '../../src/text/fold';
import { type Wanted } from '../../src/text/search';
import { searchQuery } from '../../src/text/terms';
import { type Factories } from '../factories/factories';
import { randomInteger } from '../random';

/** More than a stored search has hits. */
const BOOKS = 2000;
const WORDS = ['历史', '中国', '中国历史', '文化', '出版', 'history', '一本书'];
/** Two names of the same tag in searches, and another tag. */
export const TAGS = ['History', 'HISTORY', '随笔'];
/** A random integer below a limit. */
export const below = (limit: number): number => randomInteger() % limit;
/** A random element. */
export const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
/** Random tags of a book. */
export const tags = () =>
  TAGS.filter(() => below(3) === 0).map((name) => ({ name, count: 1 + below(5) }));
/** A random title. */
export const title = (): string =>
  `${pick(WORDS)}${below(3) === 0 ? ' ' : ''}${pick(WORDS)}${below(50)}`;

/** What a search for words, and for a tag if there is one, asks for. */
export function wantedOf(phrase: string, tag = ''): Wanted & { readonly by: 'q' | 'both' } {
  const query = searchQuery(phrase);
  const words = [query?.phrase, query?.tsquery, query?.patterns];
  return tag === '' ? { by: 'q', values: words } : { by: 'both', values: [...words, fold(tag)] };
}

/** Makes books with random titles and tags. @returns their ids */
export async function makeBooks(make: Factories): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < BOOKS; at += 400) {
    ids.push(
      ...(await make.books(400, () => ({ title: title(), author: [pick(WORDS)], tags: tags() }))),
    );
  }
  return ids;
}
