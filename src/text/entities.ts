const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * HTML's character references as characters: numbers, and the names that every editor writes. NUL
 * is dropped.
 *
 * @param impossible what stands for a number that no character has; nothing when not given
 */
export function decodeEntities(
  text: string,
  impossible: (whole: string) => string = () => '',
): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    if (point > 0x10ffff) return impossible(whole);
    return point === 0 ? '' : String.fromCodePoint(point);
  });
}
