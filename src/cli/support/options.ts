/** Splits the value of an option at commas and spaces. */
export const listOption = (value: string): string[] =>
  value.split(/[\s,]+/).filter((one) => one !== '');

/** Parses an integer. @throws Error for other values */
export const integerOption = (value: string): number => {
  if (!/^\d{1,15}$/.test(value)) throw new Error(`invalid integer: ${value}`);
  return Number(value);
};

/** Parses an id. @throws Error for other values */
export const idOption = (value: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new Error(`invalid id: ${value}`);
  return Number(value);
};

/** Parses one of the given words. @throws Error listing them for other values */
export const choiceOption = <T extends string>(
  what: string,
  value: string,
  choices: readonly T[],
): T => {
  const found = choices.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Error(`unknown ${what}: ${value}; allowed values: ${choices.join(', ')}`);
};
