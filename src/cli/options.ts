/** Words of one option, separated by commas or spaces. */
export const listOption = (value: string): string[] =>
  value.split(/[\s,]+/).filter((one) => one !== '');
