import { type RequestContext } from '../api/http/request-context';
import { type Route } from '../api/routing/route-table';
import { SharesOfRoutes } from './pool-shares';

const search = { method: 'GET', path: '/v2/book/search', expensive: 'search' } as unknown as Route;

it('searches of an IPv6 network of 48 bits have one share', () => {
  const shares = new SharesOfRoutes(10, 10);
  const shareOf = (addressKey: string) =>
    shares.of({ route: search, addressKey, caller: {} } as RequestContext);
  expect(shareOf('2001:db8:1:2')).toBe(shareOf('2001:db8:1:3'));
  expect(shareOf('2001:db8:1:2')).not.toBe(shareOf('2001:db8:2:2'));
  expect(shareOf('192.0.2.1')).not.toBe(shareOf('192.0.2.2'));
});
