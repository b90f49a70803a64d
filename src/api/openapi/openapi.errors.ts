import { ERRORS } from '../errors/error-codes';
import { isAdminPath } from '../http/request-context';
import { type JsonSchema } from '../resources/resource';
import { type Route } from '../routing/route-table';
import { LIMIT_HEADER_REFERENCES, RETRY_AFTER } from './openapi.headers';
import { errorsOfOperation, type OperationErrorRow } from './operation-errors';

const REQUEST_MEMBER = { type: 'string', description: 'Method and path, without the query.' };
const CODE_MEMBER = {
  type: 'integer',
  description: 'Number of the error.',
  enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))],
};
const MSG_MEMBER = {
  type: 'string',
  description: 'Name of the error, for programs: its spelling never changes.',
  enum: [...new Set(Object.values(ERRORS).map(({ msg }) => msg))],
};

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    msg: MSG_MEMBER,
    code: CODE_MEMBER,
    request: REQUEST_MEMBER,
    detail: { type: 'string', description: 'Specific reason, only with `error_detail=1`.' },
  },
  required: ['msg', 'code', 'request'],
  additionalProperties: false,
};

const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An error in the format of RFC 9457, for `Accept: application/problem+json`.',
  properties: {
    type: {
      type: 'string',
      description: 'Address of the page that explains the error.',
      format: 'uri',
    },
    title: { type: 'string', description: 'Name of the error, as in `msg`.' },
    status: { type: 'integer', description: 'HTTP status.' },
    ...(ERROR_SCHEMA.properties as object),
    detail: { type: 'string', description: 'Specific reason, as in `X-Error-Detail`.' },
  },
  required: ['type', 'title', 'status', 'msg', 'code', 'request'],
  additionalProperties: false,
};

/** An error in both formats: that of RFC 6749 and that of the service (D18). */
const OAUTH_MEMBERS = {
  error: { type: 'string', description: 'Error code of RFC 6749, section 5.2.' },
  error_description: { type: 'string', description: 'Explanation for developers.' },
};
const withOauth = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...OAUTH_MEMBERS, ...(schema.properties as object) },
  required: [...Object.keys(OAUTH_MEMBERS), ...(schema.required as string[])],
});

/** Schemas of error bodies, by name. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: ERROR_SCHEMA,
  Problem: PROBLEM_SCHEMA,
  OauthError: withOauth(ERROR_SCHEMA),
  OauthProblem: withOauth(PROBLEM_SCHEMA),
};

const ERROR_HEADERS = {
  'X-Error-Detail': {
    schema: { type: 'string' },
    description: 'Specific reason of the error, in English.',
  },
};

const contentOf = (schema: string, problem: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
  'application/problem+json': { schema: { $ref: `#/components/schemas/${problem}` } },
});

/** The headers of errors of a status. Those of limits are only in responses of the API (D16, D134). */
const headersOf = (status: number, { path }: Route): object => ({
  ...ERROR_HEADERS,
  ...(status === 429 && !isAdminPath(path) ? LIMIT_HEADER_REFERENCES : {}),
  ...(status === 429 ? RETRY_AFTER : {}),
  ...(status === 503 || status === 409 ? RETRY_AFTER : {}),
});

const describe = ({ code, msg, meaning }: OperationErrorRow): string =>
  `- ${code} \`${msg}\`: ${meaning}`;

/**
 * Collects the responses of errors. Operations with the same errors of a status share a component,
 * whose name has status and codes.
 */
export class ErrorResponses {
  /** Components by name. */
  readonly all: Record<string, object> = {};

  /** References to the errors of a route, by status. */
  of(route: Route): Record<string, object> {
    const rows = errorsOfOperation(route);
    const statuses = [...new Set(rows.map(({ status }) => status))];
    return Object.fromEntries(
      statuses.map((status) => [
        status,
        this.refer(
          status,
          rows.filter((row) => row.status === status),
          route,
        ),
      ]),
    );
  }

  private refer(status: number, rows: readonly OperationErrorRow[], route: Route): object {
    const isOauth = route.oauthErrors;
    const codes = rows.map(({ code }) => code);
    const name = `${isOauth ? 'OauthError' : 'Error'}${status}_${codes.join('_')}`;
    this.all[name] ??= {
      description: rows.map(describe).join('\n'),
      headers: headersOf(status, route),
      content: isOauth ? contentOf('OauthError', 'OauthProblem') : contentOf('Error', 'Problem'),
      'x-error-codes': codes,
    };
    return { $ref: `#/components/responses/${name}` };
  }
}
