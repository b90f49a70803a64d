import { checkForm } from './body-checks';

const check = (form: Buffer): void => {
  checkForm(undefined, undefined, form);
};

it.each(['a=%E4%BD%A0+%zz+%', 'a=\u4f60%20+b', '%4', '=%c3%a9+', ''])(
  'a form that is UTF-8 is accepted, and its plus signs become spaces: %j',
  (text) => {
    const form = Buffer.from(text);
    check(form);
    expect(form.toString()).toBe(text.replaceAll('+', ' '));
  },
);

it.each(['a=%E4%BD', 'a=%ff', '%E4a%BD%A0', 'a=%e4\u4f60', 'a=%C0%80'])(
  'a form with percent-encoded bytes that are not UTF-8 is rejected: %j',
  (text) => {
    expect(() => {
      check(Buffer.from(text));
    }).toThrow('encoding.not.utf8');
  },
);
