import { unescape } from 'node:querystring';
import { percentDecoded, replacePlusSigns } from './form-encoding';

const PARTS = ['a', '%', '%4', '%41', '%zz', '%ff', '%E4', '%e4%bd%a0', '%C0%80', '%00', '=', ' '];

/** All texts of up to three of the parts. */
const TEXTS = PARTS.flatMap((first) =>
  ['', ...PARTS].flatMap((second) => ['', ...PARTS].map((third) => first + second + third)),
);

it('decodes as Node does, also what is not UTF-8', () => {
  const decoded = TEXTS.map((text) => percentDecoded(Buffer.from(text)).toString());
  expect(decoded).toEqual(TEXTS.map(unescape));
});

it('replaces plus signs, but not those that are percent-encoded', () => {
  const form = Buffer.from('+a+%2B+');
  replacePlusSigns(form);
  expect(form.toString()).toBe(' a %2B ');
});
