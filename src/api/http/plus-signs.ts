const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * Replaces each plus sign in a form or query by the space that it means. `node:querystring` takes
 * up to forty times longer for plus signs than for spaces.
 */
export function replacePlusSigns(form: Buffer): void {
  for (let at = 0; at < form.length; at += 1) if (form[at] === PLUS) form[at] = SPACE;
}
