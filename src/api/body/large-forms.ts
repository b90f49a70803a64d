import { type ApiRequest } from '../http/request-context';

/** Maximum body size of public routes in bytes: forms of pages, and token requests. */
export const PUBLIC_BODY_BYTES = 65_536;

/** Requests to public routes whose bodies may be as large as those of other routes. */
const WITH_LARGE_FORMS = new WeakSet<ApiRequest>();

/** Whether the headers of a request say that its body is within the limit of public routes. */
export function isSmallForm({ headers }: ApiRequest): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= PUBLIC_BODY_BYTES
  );
}

/** Raises the limit of a request. A guard calls it, after it has checked the session. */
export function allowLargeForm(request: ApiRequest): void {
  WITH_LARGE_FORMS.add(request);
}

export const isLargeFormAllowed = (request: ApiRequest): boolean => WITH_LARGE_FORMS.has(request);
