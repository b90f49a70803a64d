/** Maximum number of causes of an error in its text. */
const MAX_CAUSES = 5;

/** User and password of a URL. */
const CREDENTIALS = /\b([a-z][a-z\d+.-]*:\/\/)[^\s@]*:\S*@/gi;
/** A password in a list of connection parameters. */
const PASSWORD = /\b(password\s*=\s*)('[^']*'|\S+)/gi;

/** Members that errors of the project and of Node have beside those of `Error`. */
interface DetailedError extends Error {
  readonly code?: unknown;
  /** More exact than the message: that of an `ApiError` is a code of the interface. */
  readonly detail?: unknown;
  /** The name of an `ApiError` in the error table. */
  readonly error?: unknown;
  /** Those of an `AggregateError`, such as one for each address of a host. */
  readonly errors?: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The message of an error without its causes; empty if only its cause says something. */
function ownText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, detail, error: name, errors, cause, message } = error as DetailedError;
  if (name !== undefined) {
    if (textOf(detail) !== '') return textOf(detail);
    return cause === undefined ? message : '';
  }
  if (message !== '') return message;
  if (Array.isArray(errors) && errors.length > 0)
    return [...new Set(errors.map(ownText))].join('; ');
  return textOf(code) || error.name;
}

/** Replaces user names and passwords of addresses. */
const withoutSecrets = (text: string): string =>
  text.replace(CREDENTIALS, '$1***@').replace(PASSWORD, '$1***');

/**
 * An error and its causes as one line without a stack and without passwords. Only the message of
 * the error itself may have several lines, such as a list of invalid settings.
 */
export function errorText(error: unknown): string {
  let text = ownText(error);
  let cause = error instanceof Error ? error.cause : undefined;
  for (let count = 0; cause !== undefined && cause !== null && count < MAX_CAUSES; count += 1) {
    // A complete sentence explains its cause itself.
    if (text.endsWith('.')) break;
    const next = ownText(cause).replace(/\s*\n\s*/g, ' ');
    // A message often ends with that of its cause.
    if (!text.includes(next)) text += text === '' ? next : `: ${next}`;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return withoutSecrets(text === '' && error instanceof Error ? error.message : text);
}
