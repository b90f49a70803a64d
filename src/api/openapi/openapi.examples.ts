type Values = Readonly<Record<string, unknown>>;

/** A request and its response, executed against the sample. */
export interface Example {
  /** Parameters of the path and of the query. */
  readonly path?: Values;
  readonly query?: Values;
  /** Members of the body, without pictures. */
  readonly body?: Values;
  /** JSON, or the text of a file; missing for responses without a body. */
  readonly response?: unknown;
}

/** A parameter with its value in an example, if it has one there. */
export function withExample<T extends { readonly name: string }>(
  parameter: T,
  { path = {}, query = {} }: Example,
): T {
  const value = { ...query, ...path }[parameter.name];
  return value === undefined ? parameter : { ...parameter, example: value };
}
