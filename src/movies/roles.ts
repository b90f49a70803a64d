/** Roles of the lists in a subject, with their labels in a celebrity's works (D35). */
export const ROLE_WORDS = { director: '导演', actor: '演员', writer: '编剧' } as const;

/** The label of a role in works; other roles are their own label. */
export const roleWord = (role: string): string =>
  Object.hasOwn(ROLE_WORDS, role) ? ROLE_WORDS[role as keyof typeof ROLE_WORDS] : role;
