/** An id that no user has, to read notes as an anonymous caller. */
export const NO_USER = 0;
