/**
 * Whether a text may be a uid, of a user or a city: letters, digits, `-`, `_` and `.`, but not dots
 * only. Browsers remove the segments `.` and `..` of a path, so that nobody could reach the page.
 */
export const isUidText = (text: string): boolean =>
  /^[A-Za-z0-9._-]+$/.test(text) && !/^\.+$/.test(text);

/** Whether a uid is digits only, like an id. */
export const isNumericUid = (uid: string): boolean => /^\d+$/.test(uid);
