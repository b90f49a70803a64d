/** Words of one option, separated by commas or spaces. */
export const listOption = (value: string): string[] =>
  value.split(/[\s,]+/).filter((one) => one !== '');

/** A whole number. @throws Error for anything else */
export const wholeOption = (value: string): number => {
  if (!/^\d+$/.test(value)) throw new Error(`not a whole number: ${value}`);
  return Number(value);
};
