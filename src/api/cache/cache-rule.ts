/** The values of a path's wildcards. */
export type PathValues = Readonly<Record<string, string>>;

/**
 * A key of content that responses depend on, as the table `content_changes` logs it: a group, or a
 * group and an id, such as `book:7`. A change of a group counts for all its ids. A change of a key
 * with two ids, such as `collection:3:7`, counts for its first id too: for `collection:3`.
 */
export type ContentKey = string;

/** How responses depend on the user who asks. */
export interface UserRule {
  /** The content that decides whether the response differs for the user. */
  readonly dependsOn: (params: PathValues, userId: number) => readonly ContentKey[];
  /** Whether the result of the handler differs from that for a caller without a user. */
  readonly isPersonal: (result: unknown) => boolean;
}

/** How the responses of a route are kept in memory. */
export interface CacheRule {
  /** The content that a response depends on, known from the path alone. */
  readonly dependsOn: (params: PathValues) => readonly ContentKey[];
  /** Further content, known from the result of the handler. */
  readonly dependsOnResult?: (result: unknown) => readonly ContentKey[];
  /**
   * Whether callers with a user get the same responses as others (`same`), always read their own
   * (`excluded`), or get the same unless they have content of their own.
   */
  readonly users: 'same' | 'excluded' | UserRule;
}
