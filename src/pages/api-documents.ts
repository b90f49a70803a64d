import { ADMIN_SCOPE } from '../api/access/access';
import { isAdminPath, isApiPath } from '../api/http/request-context';
import { openApiDocument, type DocumentOptions, type Tag } from '../api/openapi/openapi';
import { type Route, type RouteTable } from '../api/routing/route-table';
import { ENGLISH } from '../web/messages.en';
import EXAMPLES from './examples.json';

/** A relative server URL, which works for any host name. */
const RELATIVE = '/';

/** Conventions of every operation of the public API (specification section 1). */
const CONVENTIONS = `Books, notes, movies and local events over JSON, version 2.

- **Lists** have \`start\`, \`count\` and \`total\`. A list has at most 100 elements and 8 MB.
- **JSONP**: with \`callback=name\`, the response to a GET is the script \`name(json);\` of the type
  \`text/javascript\`.
- **Errors** have a number (\`code\`), a name (\`msg\`) and the request. The header \`X-Error-Detail\` has the
  specific reason. \`Accept: application/problem+json\` selects the format of RFC 9457.
- **Limits** are in the headers of every response. Beyond them the status is 429, and \`Retry-After\` has the
  seconds to wait.
- **Conditional requests**: responses to GET have an \`ETag\`. A request whose \`If-None-Match\` has it gets 304,
  which does not count against the limit of the user or application.
- **Times** are \`yyyy-MM-dd HH:mm:ss\` in the time zone of the service.`;

const { admin: adminScope, ...publicScopes } = ENGLISH.scopes;

const PUBLIC_TAGS: readonly Tag[] = [
  {
    name: 'book',
    description:
      'Books, their tags and series, and the collections, annotations and reviews of users.',
  },
  { name: 'note', description: 'Notes of users, with pictures, replies and likes.' },
  { name: 'movie', description: 'Films, series, people and charts, in three tiers of access.' },
  { name: 'event', description: 'Local events, and the users who participate in them.' },
  { name: 'loc', description: 'Cities with events.' },
  {
    name: 'oauth',
    description: 'Access tokens: OAuth 2.0 (RFC 6749, RFC 7009, RFC 7662, RFC 8414).',
  },
  { name: 'service', description: 'Limits, challenges, reports, health and this document.' },
];

/** Areas of the public API, by the second segment of the path. */
const AREAS: Readonly<Record<string, string>> = { notes: 'note' };

function publicTagOf({ path, scope }: Route): string | undefined {
  if (isAdminPath(path)) return undefined;
  if (path.startsWith('/service/auth2/') || path.startsWith('/.well-known/')) return 'oauth';
  const area = path.split('/')[2] ?? '';
  const tag = AREAS[area] ?? area;
  const isArea = isApiPath(path) && scope !== null && PUBLIC_TAGS.some(({ name }) => name === tag);
  return isArea ? tag : 'service';
}

const ADMIN_TAGS: readonly Tag[] = [
  { name: 'applications', description: 'Applications, their approvals, levels and limits.' },
  { name: 'audit', description: 'Log of every change by administrators and commands.' },
  { name: 'books', description: 'Records of books.' },
  { name: 'celebrities', description: 'Records of people.' },
  { name: 'charts', description: 'Snapshots of charts.' },
  { name: 'events', description: 'Records of events.' },
  { name: 'jobs', description: 'Imports and exports.' },
  { name: 'limits', description: 'Limits on requests.' },
  { name: 'locs', description: 'Records of cities.' },
  { name: 'moderation', description: 'Texts that wait for a decision.' },
  { name: 'photos', description: 'Records of photos.' },
  { name: 'reports', description: 'Reports by users.' },
  { name: 'series', description: 'Series of books.' },
  { name: 'showings', description: 'Showings of films in cities.' },
  { name: 'subjects', description: 'Records of films and series.' },
  { name: 'users', description: 'Users, their blocks and roles.' },
  { name: 'words', description: 'Banned words.' },
  { name: 'document', description: 'This document.' },
];

function adminTagOf({ path }: Route): string | undefined {
  if (!isAdminPath(path)) return undefined;
  const area = path.split('/')[3] ?? '';
  return ADMIN_TAGS.some(({ name }) => name === area) ? area : 'document';
}

const PUBLIC: DocumentOptions = {
  title: 'Commonplace',
  description: CONVENTIONS,
  baseUrl: RELATIVE,
  tags: PUBLIC_TAGS,
  tagOf: publicTagOf,
  scopes: publicScopes,
  examples: EXAMPLES,
};

const ADMINISTRATION: DocumentOptions = {
  title: 'Commonplace administration',
  description:
    'For administrators: every operation requires a token of a user with the role administrator and the ' +
    'scope `admin`. Requests do not count against limits. Errors are those of the public API.',
  baseUrl: RELATIVE,
  tags: ADMIN_TAGS,
  tagOf: adminTagOf,
  scopes: { [ADMIN_SCOPE]: adminScope },
  examples: EXAMPLES,
};

/** The OpenAPI documents of the service. */
export type ApiDocument = 'public' | 'admin';

/** Generates the document of the public API, or of the administration API. */
export const apiDocument = (document: ApiDocument, routes: RouteTable): object =>
  openApiDocument(routes, document === 'public' ? PUBLIC : ADMINISTRATION);
