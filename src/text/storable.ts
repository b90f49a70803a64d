/** Control characters other than white space; PostgreSQL cannot store all of them. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Removes control characters (D9). Imported text is otherwise unchanged, including white space, so
 * that an export returns it as it was imported.
 */
export const storable = (text: string): string => text.replace(CONTROLS, '').toWellFormed();
