import { maxConnections } from './servers';

describe('maximum number of connections of a port', () => {
  const settings = { MAX_CONNECTIONS: 5000, HEADER_SECONDS: 30, REQUEST_SECONDS: 300 };

  it.each([
    [undefined, undefined, 5000],
    [1_048_576, undefined, 5000],
    [1024, undefined, 412],
    [1024, 80, 206],
    [100, undefined, 25],
  ])('%p descriptors, HTTP_PORT %p: %p', (descriptors, HTTP_PORT, expected) => {
    // Not given at all, the limit of this process is looked for, which is another test's matter.
    const limit = descriptors ?? Infinity;
    expect(maxConnections({ ...settings, HTTP_PORT }, limit)).toBe(expected);
  });
});
