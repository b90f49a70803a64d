/** Words of one option, separated by commas or spaces. */
export const listOption = (value: string): string[] =>
  value.split(/[\s,]+/).filter((one) => one !== '');

/** A whole number. @throws Error for anything else */
export const integerOption = (value: string): number => {
  if (!/^\d{1,15}$/.test(value)) throw new Error(`not a whole number: ${value}`);
  return Number(value);
};

/** The id of something. @throws Error for what is none */
export const idOption = (value: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new Error(`not an id: ${value}`);
  return Number(value);
};

/** One of some words. @throws Error for any other, naming them */
export const choiceOption = <T extends string>(
  what: string,
  value: string,
  choices: readonly T[],
): T => {
  const found = choices.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Error(`no such ${what}: ${value}; there are ${choices.join(', ')}`);
};
