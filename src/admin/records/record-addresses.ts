import { OperationError } from '../../api/errors/errors';
import { type WireRecord } from './records.input';

/** Members that are addresses, objects of them or lists of them. */
const ADDRESSES = [
  ...['image', 'images', 'avatars', 'icon', 'thumb', 'cover', 'website', 'ebook_url'],
  ...['image-hlarge', 'image_hlarge', 'image-lmobile', 'image_lmobile', 'service_site'],
  ...['trailer_urls', 'clip_urls', 'blooper_urls'],
];

/** A path of the service's own: not another host, which a backslash can name, too. */
const OWN_PATH = /^\/(?![/\\])/;

function isAddress(text: string): boolean {
  if (text === '' || OWN_PATH.test(text)) return true;
  return /^https?:\/\/[^/\\?#\s]/i.test(text) && URL.canParse(text);
}

/**
 * Clients open addresses as they are: those that an administrator newly writes lead somewhere on the
 * web, or to the service itself.
 *
 * @param stored addresses that are there already, which may stay
 * @throws NotPossible naming the member
 */
export function checkAddresses(given: WireRecord, stored: WireRecord): void {
  for (const [member, value] of Object.entries(given)) {
    if (!ADDRESSES.includes(member) && !member.endsWith('_site')) continue;
    if (JSON.stringify(value) === JSON.stringify(stored[member])) continue;
    const all = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    const texts = all.filter((one) => typeof one === 'string' || typeof one === 'number');
    if (texts.every((one) => isAddress(String(one)))) continue;
    throw new OperationError(`${member} must be an address of http or https, or a path like /x`);
  }
}
