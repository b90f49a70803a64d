/** Length in bytes of the header of an ICC profile, and of an entry of its tag table. */
const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;

/** Maximum size in bytes. Profiles of printers, the largest ones, have up to 3 MB. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/** Maximum number of tags, as in the decoder. */
const MAX_TAGS = 100;

/** Tags of multi-process elements (ICC.1, 9.2). */
const PROCESS_ELEMENTS = /^(?:D2B|B2D)/;

/**
 * Whether the decoder may apply an ICC profile. The steps of a transform by curves, a matrix or a
 * table are fixed. Multi-process elements may have any number of steps, which may share their data:
 * the conversion of a small picture with such a profile of 30 KB took almost a minute. Cameras and
 * editors do not write these tags.
 */
export function isAllowedProfile(profile: Buffer): boolean {
  if (profile.length > MAX_PROFILE_BYTES || profile.length < HEADER_BYTES + 4) return false;
  const tags = profile.readUInt32BE(HEADER_BYTES);
  const table = profile.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + tags * ENTRY_BYTES);
  if (tags > MAX_TAGS || table.length < tags * ENTRY_BYTES) return false;
  return Array.from({ length: tags }, (_, at) =>
    table.toString('latin1', at * ENTRY_BYTES, at * ENTRY_BYTES + 4),
  ).every((signature) => !PROCESS_ELEMENTS.test(signature));
}
