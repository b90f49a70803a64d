import { OperationError } from '../../api/errors/errors';
import { type WireRecord } from './records.input';

/** Members that contain URLs, objects of URLs or lists of URLs. */
const ADDRESSES = [
  ...['image', 'images', 'avatars', 'icon', 'thumb', 'cover', 'website', 'ebook_url'],
  ...['image-hlarge', 'image_hlarge', 'image-lmobile', 'image_lmobile', 'service_site'],
  ...['trailer_urls', 'clip_urls', 'blooper_urls'],
];

/** A path of this service. `//` and `/\` are excluded because they name another host. */
const OWN_PATH = /^\/(?![/\\])/;

function isAddress(text: string): boolean {
  if (text === '' || OWN_PATH.test(text)) return true;
  return /^https?:\/\/[^/\\?#\s]/i.test(text) && URL.canParse(text);
}

/**
 * Checks the URLs that an administrator adds, because clients open URLs unchanged: each must be a
 * web URL or a path of this service.
 * @param stored existing URLs, which are always valid
 * @throws OperationError naming the member
 */
export function checkAddresses(given: WireRecord, stored: WireRecord): void {
  for (const [member, value] of Object.entries(given)) {
    if (!ADDRESSES.includes(member) && !member.endsWith('_site')) continue;
    if (JSON.stringify(value) === JSON.stringify(stored[member])) continue;
    const all = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    const texts = all.filter((one) => typeof one === 'string' || typeof one === 'number');
    if (texts.every((one) => isAddress(String(one)))) continue;
    throw new OperationError(`${member} must be an http or https URL, or a path like /x`);
  }
}
