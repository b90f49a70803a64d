import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import { isAdminPath } from '../http/request-context';
import { contractOf } from './contract';
import { ANY_TEXT } from './route';
import { type Contract, type Route, type RouteTable } from './route-table';

const METHOD_NAMES: Partial<Record<RequestMethod, string>> = {
  [RequestMethod.GET]: 'GET',
  [RequestMethod.POST]: 'POST',
  [RequestMethod.PUT]: 'PUT',
  [RequestMethod.DELETE]: 'DELETE',
  [RequestMethod.PATCH]: 'PATCH',
};

function pathsOf(prefix: unknown, path: unknown): string[] {
  const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);
  return list(prefix).flatMap((head) =>
    list(path).map((tail) => {
      const fullPath = `/${head}/${tail}`.replace(/\/+/g, '/');
      return fullPath.length > 1 ? fullPath.replace(/\/$/, '') : fullPath;
    }),
  );
}

function toRoute(name: string, method: string, path: string, contract: Contract): Route {
  const { scope, response } = contract;
  if (scope === undefined)
    throw new Error(`${name} declares no access: add @RequireScope or @Public`);
  if (response === undefined) throw new Error(`${name} declares no response: add @Responds...`);
  const wildcards = [...path.matchAll(/:(\w+)/g)].map(([, wildcard]) => String(wildcard));
  const inPath = contract.parameters.filter((parameter) => parameter.in === 'path');
  const numeric = inPath.filter(({ schema }) => schema.pattern === '^[0-9]+$').map((p) => p.name);
  const free = inPath.filter(({ schema }) => schema.pattern === ANY_TEXT).map((p) => p.name);
  const undeclared = wildcards.filter((wildcard) => !inPath.some((p) => p.name === wildcard));
  if (undeclared.length > 0 && response.kind !== 'page') {
    throw new Error(`${name} does not declare :${undeclared[0]}: use IdParam or NameParam`);
  }
  return {
    method,
    path,
    handlerName: name,
    scope,
    tiers: contract.tiers,
    login: contract.login ?? false,
    secure: contract.secure ?? false,
    free: contract.free ?? false,
    fields: contract.fields ?? false,
    response,
    status: contract.status ?? 200,
    parameters: contract.parameters,
    errors: contract.errors ?? [],
    oauthErrors: contract.oauthErrors ?? false,
    deprecation: contract.deprecation,
    summary: contract.summary,
    extension: contract.extension ?? false,
    operationId: contract.operationId,
    // Lists sort and count all matches.
    expensive: contract.expensive ?? (response.kind === 'list' ? 'list' : undefined),
    uploads: contract.uploads,
    cache: contract.cache,
    area: isAdminPath(path) ? 'admin' : (path.split('/')[2] ?? ''),
    merging: inPath.flatMap(({ name: wildcard, mergedKind: kind }) =>
      kind === undefined ? [] : [{ name: wildcard, kind }],
    ),
    numeric: numeric.filter((wildcard) => wildcards.includes(wildcard)),
    named: wildcards.filter((wildcard) => ![...numeric, ...free, ...undeclared].includes(wildcard)),
  };
}

/**
 * Fills the route table from the decorators of every controller.
 *
 * @throws Error for the first handler that does not declare its access, its response or the values
 * of its path's wildcards. The service then does not start.
 */
export function walkRoutes(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  table: RouteTable,
): void {
  for (const { instance, metatype } of discovery.getControllers()) {
    if (!instance || !metatype) continue;
    const controller = instance as Record<string, object>;
    const prefix: unknown = Reflect.getMetadata(PATH_METADATA, metatype);
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const handler = controller[name];
      if (!handler) continue;
      const path: unknown = Reflect.getMetadata(PATH_METADATA, handler);
      if (path === undefined) continue;
      const method = METHOD_NAMES[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      if (!method) throw new Error(`${metatype.name}.${name} has a method the contract lacks`);
      for (const fullPath of pathsOf(prefix, path)) {
        const route = toRoute(`${metatype.name}.${name}`, method, fullPath, contractOf(handler));
        table.add(handler, route, controller, name);
      }
    }
  }
}
