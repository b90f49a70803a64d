// SQL of the texts that moderators see, from columns of a table.

/** @param alias of the table of collections, with its period, or nothing */
export const collectionTextSql = (alias = ''): string =>
  `concat_ws(E'\\n', nullif(${alias}comment, ''), nullif(array_to_string(${alias}tags, ' '), ''))`;

/** @param alias of the table of annotations, with its period, or nothing */
export const annotationTextSql = (alias = ''): string =>
  `concat_ws(E'\\n', nullif(${alias}chapter, ''), ${alias}content)`;

/**
 * A text with its title.
 * @param title column of the title, which may be empty
 * @param content column of the text
 */
export const titledTextSql = (title: string, content: string): string =>
  `concat_ws(E'\\n', nullif(${title}, ''), ${content})`;
