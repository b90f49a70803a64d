/** Roles that a subject lists its people by, and how a celebrity's works name them (D35). */
export const ROLE_WORDS = { director: '导演', actor: '演员', writer: '编剧' } as const;

/** What a role is called in works; any other is called as it was given. */
export const roleWord = (role: string): string =>
  Object.hasOwn(ROLE_WORDS, role) ? ROLE_WORDS[role as keyof typeof ROLE_WORDS] : role;
