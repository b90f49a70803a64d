import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type FuzzRequest, type Paths } from './fuzz.requests';

export interface FuzzResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request as it is, however odd; `fetch` would mend some of them. */
export function send(origin: string, agent: Agent, fuzz: FuzzRequest): Promise<FuzzResponse> {
  const { method, path, headers, body } = fuzz;
  return new Promise((resolve, reject) => {
    // Node leaves the length out where a body is unusual, which would make it the next request.
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const all = { ...headers, ...length };
    const sent = request(origin, { agent, method, path, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Stands for the status of an error that JSONP hides; the error is one that every path has. */
const HIDDEN_ERROR = 404;

/** The id of the document among the schemas. */
const DOCUMENT = 'openapi';

interface OpenApi {
  readonly paths: Paths;
}

/** Validators of the schemas in a document. */
class Schemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(openapi: OpenApi) {
    addFormats(this.ajv);
    this.ajv.addSchema(openapi, DOCUMENT);
  }

  /** Validates a value. @returns the errors of the validation; undefined for a valid value */
  faultOf(value: unknown, pointer: string): string | undefined {
    let validate = this.compiled.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
      this.compiled.set(pointer, validate);
    }
    return validate(value) ? undefined : this.ajv.errorsText(validate.errors);
  }
}

/** Compares responses with the service's OpenAPI document. */
export class ResponseChecker {
  private readonly whole: Schemas;
  /** Without required members, for responses with selected members (`fields`). */
  private readonly partial: Schemas;
  private readonly paths: Paths;

  constructor(openapi: OpenApi) {
    this.paths = openapi.paths;
    this.whole = new Schemas(openapi);
    const text = JSON.stringify(openapi, (name, value: unknown) =>
      name === 'required' && Array.isArray(value) ? undefined : value,
    );
    this.partial = new Schemas(JSON.parse(text) as OpenApi);
  }

  /** JSON pointer to the schema of a response. */
  private pointerOf({ template, method }: FuzzRequest, status: number, type: string): string {
    const of = method === 'HEAD' ? 'get' : method.toLowerCase();
    const escape = (part: string) =>
      encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
    if (status < 400) {
      const path = `/paths/${escape(template)}/${of}/responses/${status}`;
      return `${path}/content/${escape('application/json')}/schema`;
    }
    // Another path or method than the route's is refused before anybody knows what it is for.
    const declared = status === 404 ? undefined : this.paths[template]?.[of]?.responses[status];
    if (declared?.$ref) return `${declared.$ref.slice(1)}/content/${escape(type)}/schema`;
    return `/components/schemas/${type === 'application/json' ? 'Error' : 'Problem'}`;
  }

  /** Checks a response. @returns its first fault; undefined for a valid response */
  faultOf(fuzz: FuzzRequest, { status, headers, text }: FuzzResponse): string | undefined {
    if (status >= 500) return `status ${status}`;
    if (status < 200) return `status ${status}`;
    if (fuzz.method === 'HEAD' || status === 204) return text === '' ? undefined : 'has a body';
    const type = headers['content-type'] ?? '';
    if (type.startsWith('text/javascript')) {
      const match = /^(\w{1,50})\(([\s\S]*)\);$/.exec(text);
      if (!match || !fuzz.path.includes(`callback=${match[1]}`)) return 'is no JSONP';
      if (fuzz.method !== 'GET') return 'is JSONP though no GET';
      const problem = fuzz.headers.accept === 'application/problem+json';
      const json = match[2] ?? '';
      // An error has status 200 so that browsers run the script (D44).
      const isHidden = status === 200 && /"msg":"[^"]*","code":\d+,"request":/.test(json);
      return this.jsonFault(fuzz, isHidden ? HIDDEN_ERROR : status, problem, json);
    }
    if (type.startsWith('text/calendar')) {
      const calendar = /^BEGIN:VCALENDAR\r\n[\s\S]*\r\nEND:VCALENDAR\r\n$/.test(text);
      return calendar && fuzz.template.endsWith('.ics') ? undefined : 'is no calendar';
    }
    if (type.startsWith('text/html')) {
      const wantsHtml = status >= 400 && fuzz.headers.accept === 'text/html';
      return wantsHtml && text.startsWith('<!doctype html>') ? undefined : 'is a page';
    }
    if (!/^application\/(problem\+)?json(;|$)/.test(type)) return `has the type ${type}`;
    return this.jsonFault(fuzz, status, type.startsWith('application/problem'), text);
  }

  private jsonFault(
    fuzz: FuzzRequest,
    status: number,
    problem: boolean,
    text: string,
  ): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'is no JSON';
    }
    const type = problem ? 'application/problem+json' : 'application/json';
    const schemas = status < 400 && fuzz.path.includes('fields=') ? this.partial : this.whole;
    const fault = schemas.faultOf(value, this.pointerOf(fuzz, status, type));
    if (fault !== undefined) return fault;
    if (status < 400) return undefined;
    const named = (value as { request: string }).request;
    // Slashes that are doubled count as one.
    const path = fuzz.path.replace(/\?[\s\S]*$/, '').replace(/\/{2,}/g, '/');
    return named === `${fuzz.method} ${path}` ? undefined : `names the request ${named}`;
  }
}
