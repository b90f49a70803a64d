import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { CurrentAdministrator } from '../../src/admin/admin-route';
import { RouteTable } from '../../src/api/routing/route-table';
import { CurrentHooks } from '../../src/idempotency/key-attempt';
import { loadService } from './routes';

class Probe {
  acting(@CurrentAdministrator() _actor: unknown): void {}
  hooked(@CurrentHooks() _hooks: unknown): void {}
}

/** The functions that read the parameters of a handler. */
const factoriesOf = (type: object, handler: string): unknown[] => {
  const found = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler) ?? {}) as object;
  return Object.values(found).map(({ factory }: { factory?: unknown }) => factory);
};

/** A repeat of this writes the same row again, so its key is only marked by the response. */
const REPEATABLE = ['POST /v2/note/:id/like'];

it('passes the idempotency key of every POST of a user to its transaction', async () => {
  const service = await loadService();
  const table = service.get(RouteTable, { strict: false });
  const scanner = service.get(MetadataScanner, { strict: false });
  const hooked = [...factoriesOf(Probe, 'acting'), ...factoriesOf(Probe, 'hooked')];
  const posts = new Map<string, boolean>();
  for (const { metatype } of service.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = metatype?.prototype as Record<string, object>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      if (!Reflect.hasMetadata('method', prototype[name] ?? {})) continue;
      const { method, path, login } = table.of(prototype[name]);
      if (method !== 'POST' || !login) continue;
      const factories = factoriesOf(metatype as object, name);
      posts.set(
        `${method} ${path}`,
        factories.some((one) => hooked.includes(one)),
      );
    }
  }
  expect(posts.size).toBeGreaterThan(20);
  const others = [...posts].filter(([, isHooked]) => !isHooked).map(([route]) => route);
  expect(others.sort()).toEqual(REPEATABLE);
});
