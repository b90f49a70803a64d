import { type Route } from '../routing/route-table';

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };

const pascal = (segment: string): string =>
  segment.replace(/(?:^|[-_.])(\w)/g, (_, first: string) => first.toUpperCase());

/** The singular of a plural noun in a path, such as `series`, `celebrities` or `books`. */
const singular = (noun: string): string =>
  noun === 'series' ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * The id of an operation: the declared one, or one that follows from method and path. Below
 * `/admin/v1`, `GET books` is `listBooks`, `PUT books/:id` is `updateBook` and
 * `POST books/:id/approve` is `approveBook`.
 */
export function operationIdOf({ operationId, method, path, response }: Route): string {
  if (operationId !== undefined) return operationId;
  const segments = path.split('/').slice(3);
  const nouns = segments.filter((segment) => !segment.startsWith(':'));
  const last = nouns.at(-1) ?? '';
  const isAction = method === 'POST' && nouns.length > 1 && segments.at(-2)?.startsWith(':');
  if (isAction) return last + nouns.slice(0, -1).map(singular).map(pascal).join('');
  if (method === 'GET' && response.kind === 'list') return `list${nouns.map(pascal).join('')}`;
  return (VERBS[method] ?? 'get') + nouns.map(singular).map(pascal).join('');
}
