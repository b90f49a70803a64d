/** A user without collections, with the basic tier of movies. */
export const READER = 900_000_000;
/** The same with the advanced tier, which comments on films require. */
export const ADVANCED_READER = 900_000_001;

/** Users without collections, who collect books in mixes of reads and writes. */
export const FIRST_WRITER = 900_000_100;
export const WRITERS = 2000;

/** The token of a user. Every server of the benchmark can derive the user from it. */
export const tokenOf = (user: number): string => `bench-${user}`;

/** The user of an `Authorization` field. */
export const userOf = (authorization: string): number =>
  Number(authorization.slice(authorization.indexOf('-') + 1));
