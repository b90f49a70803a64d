import { limitKeyOf } from './client-address';
import { countedKeys } from './client-networks';

const SHARES = { site: 1 / 2, provider: 1 / 4 };

it('an IPv6 address counts for its networks of 64, 48 and 32 bits', () => {
  expect(countedKeys(limitKeyOf('2001:db8:77:5::1'), SHARES)).toEqual([
    { key: '2001:db8:77:5::/64', share: 1 },
    { key: '2001:db8:77', share: 1 / 2 },
    { key: '2001:db8', share: 1 / 4 },
  ]);
});

it.each(['192.0.2.1', '::ffff:192.0.2.1', ''])('the address "%s" is in no network', (address) => {
  const key = limitKeyOf(address);
  expect(countedKeys(key, SHARES)).toEqual([{ key, share: 1 }]);
});
