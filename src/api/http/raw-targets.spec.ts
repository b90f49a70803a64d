import { encodeRawTarget } from './raw-targets';

const encoded = (text: string): string | undefined =>
  encodeRawTarget(Buffer.from(text))?.toString();

it('percent-encodes a target of raw UTF-8, and nothing behind it', () => {
  expect(encoded('GET /围?q=城%20%E5 HTTP/1.1\r\nX: 围\r\n\r\n围')).toBe(
    'GET /%e5%9b%b4?q=%e5%9f%8e%20%E5 HTTP/1.1\r\nConnection: close\r\nX: 围\r\n\r\n围',
  );
});

it.each([
  ['ASCII alone', 'GET /a HTTP/1.1\r\n\r\n'],
  ['an unfinished line', 'GET /围'],
  ['a space in the target', 'GET /围 城 HTTP/1.1\r\n\r\n'],
  ['a control character', 'GET /围\u0001 HTTP/1.1\r\n\r\n'],
  ['a line feed', 'GET /围\nX: y HTTP/1.1\r\n\r\n'],
  ['another version', 'GET /围 HTTP/2.0\r\n\r\n'],
  ['an earlier request', 'GET / HTTP/1.1\r\n\r\nGET /围 HTTP/1.1\r\n\r\n'],
])('leaves %s to the parser', (_, text) => {
  expect(encoded(text)).toBeUndefined();
});

it('leaves other encodings to the parser', () => {
  const gbk = Buffer.from('GET /\xce\xa7\xb3\xc7 HTTP/1.1\r\n\r\n', 'latin1');
  expect(encodeRawTarget(gbk)).toBeUndefined();
});
