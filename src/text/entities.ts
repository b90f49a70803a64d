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
 * Decodes HTML character references: numeric ones and the common named ones. NUL is dropped.
 * @param impossible replacement for an invalid number; dropped when absent
 */
export function decodeEntities(
  text: string,
  impossible: (entity: string) => string = () => '',
): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    const point = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    if (point > 0x10ffff) return impossible(entity);
    return point === 0 ? '' : String.fromCodePoint(point);
  });
}
