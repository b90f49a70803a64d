/**
 * A detail of errors that administrators read, which is English in the API, in all languages of the
 * console. `$1` is what the pattern captures.
 */
export type Problem = readonly [pattern: RegExp, en: string, zhHans: string, zhHant: string];
