import { originForm } from './request-context';

describe('parsing of the request target', () => {
  it.each([
    ['/v2/book/1', '/v2/book/1'],
    ['/v2/book/1?a=/b', '/v2/book/1?a=/b'],
    ['/', '/'],
    ['http://x/v2/book/1?a=1', '/v2/book/1?a=1'],
    ['HTTPS://user:password@api.test:80/v2/book/1', '/v2/book/1'],
    ['http://x', '/'],
    ['http://x?a=1', '/?a=1'],
    ['http:///v2/book/1', '/v2/book/1'],
    ['http://x//v2/book/1', '/v2/book/1'],
    ['http://x\\v2/book/1', '/book/1'],
    ['http://x/http://y/v2', '/http:/y/v2'],
    ['/v2/book/1#?a=1', '/v2/book/1'],
    ['http://x/#/v2', '/'],
    ['//v2/book/1', '/v2/book/1'],
    ['/v2///book//1/', '/v2/book/1/'],
    ['//v2//book/search?q=//&u=http://x', '/v2/book/search?q=//&u=http://x'],
    ['/\\v2/book/1', '/\\v2/book/1'],
    ['/%762/book/1', '/%762/book/1'],
    ['/x/../v2/book/1', '/x/../v2/book/1'],
    ['*', '/*'],
    ['', '/'],
    ['x:80', '/x:80'],
    ['ftp://x/v2/book/1', '/ftp:/x/v2/book/1'],
    ['v2/book/1', '/v2/book/1'],
  ])('%s', (target, expected) => {
    expect(originForm(target)).toBe(expected);
  });
});
