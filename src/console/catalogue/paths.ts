import { CONSOLE } from '../paths';

/** Path of the records of a type. */
export const pathOfType = (type: string): string => `${CONSOLE.catalogue}/${type}`;
