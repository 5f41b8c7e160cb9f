import { expect, test } from 'vitest';
import type { Area } from '#functions/area.ts';
import { areas } from '#functions/contract.ts';
import { GATEWAY_ROUTE_LIMIT, type GatewayRoute, gatewayRoutes, UNKNOWN_PATHS } from '#infra/gateway-routes.ts';
import { service } from '#infra/service.ts';
import { makeRouter } from '#shared/platform/http/router.ts';
import theInterface from '../interface.json' with { type: 'json' };
import { fakeAreas, fakeService } from './fake-service.ts';
import { matchGateway } from './gateway-match.ts';
import { largest, ofType, synthesise, synthesiseParts, type Template } from './synthesis.ts';

/** The routes of the template's gateway, each with the area of its integration. */
function deployedRoutes(template: Template): GatewayRoute[] {
  const [[, api] = []] = ofType(template, 'AWS::ApiGatewayV2::Api');
  const paths: Record<string, Record<string, Record<string, { uri: { 'Fn::Sub': string } }>>> = api?.Properties.Body
    .paths;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([verb]) => verb !== 'parameters')
      .map(([verb, operation]) => ({
        path,
        method: verb === 'x-amazon-apigateway-any-method' ? 'ANY' : verb.toUpperCase(),
        area: areaIn(operation['x-amazon-apigateway-integration']?.uri['Fn::Sub'] ?? ''),
      })),
  );
}

const areaIn = (uri: string): string => /:function:exposure-main-production-([^:]+)\/invocations$/.exec(uri)?.[1] ?? '';

const contract = (from: readonly Area[]) =>
  from.flatMap(({ name, routes }) => Object.values(routes).map(({ method, path }) => ({ method, path, area: name })));

const byPath = (routes: GatewayRoute[]) => routes.map(({ method, path, area }) => `${method} ${path} ${area}`).sort();

const requestTo = (path: string) => path.replaceAll(/\{[^}]+\}/g, '0198a6a2-0000-7000-8000-000000000000');

/** Operations of the contract that the gateway would send to another area or refuse. */
function lost(from: readonly Area[], routes: GatewayRoute[]): string[] {
  return contract(from)
    .filter(({ method, path, area }) => {
      return matchGateway(routes, method, requestTo(path))?.area !== area;
    })
    .map(({ method, path }) => `${method} ${path}`);
}

test('the deployed routes are those of the contracts, of which those of an area are folded where the gateway takes no more', () => {
  const deployed = deployedRoutes(synthesise(service));
  const declared = byPath(contract(areas));
  // a route for GET takes every method that its path does not answer
  const asDeclared = (route: GatewayRoute) => ({ ...route, ...(route.method === 'ANY' && { method: 'GET' }) });
  const isShared = ({ path }: GatewayRoute) => path === UNKNOWN_PATHS || path.endsWith('{proxy+}');
  const answered = Map.groupBy(contract(areas), ({ method, path }) => matchGateway(deployed, method, requestTo(path)));
  const single = byPath(
    deployed.filter((route) => !isShared(route) && answered.get(route)?.length === 1).map(asDeclared),
  );
  expect(single.filter((route) => !declared.includes(route))).toEqual([]);
  expect(lost(areas, deployed)).toEqual([]);
  expect(deployed.length).toBeLessThanOrEqual(GATEWAY_ROUTE_LIMIT);
  // as many of their own as fit, because the metrics and limits of the gateway are by route
  expect(deployed.length).toBeGreaterThan(GATEWAY_ROUTE_LIMIT * 0.98);
  const shared = deployed.filter((route) => isShared(route) || (answered.get(route)?.length ?? 0) > 1);
  const folds = Map.groupBy(
    shared.filter(({ path }) => path !== UNKNOWN_PATHS),
    ({ path }) => path.replace('/{proxy+}', ''),
  );
  const needless = [...folds].filter(([, routes]) => {
    const operations = routes.flatMap((route) => answered.get(route) ?? []);
    return deployed.length - routes.length + operations.length <= GATEWAY_ROUTE_LIMIT;
  });
  expect(needless.map(([prefix]) => prefix)).toEqual([]);
});

test('HEAD reaches the function of GET, and an unknown path a function that answers the error of the interface', () => {
  const deployed = deployedRoutes(synthesise(service));
  const reads = contract(areas).filter(({ method }) => method === 'GET');
  expect(
    reads
      .filter(({ path, area }) => matchGateway(deployed, 'HEAD', requestTo(path))?.area !== area)
      .map(({ path }) => path),
  ).toEqual([]);
  expect(deployed.filter(({ path }) => path === UNKNOWN_PATHS)).toEqual([
    { method: 'ANY', path: UNKNOWN_PATHS, area: 'reference' },
  ]);
});

test('each operation that the interface lists has a route of its own, also where fewer are left for the others', () => {
  const listed = theInterface.operations.map(({ method, path }) => `${method} ${path}`);
  for (const limit of [GATEWAY_ROUTE_LIMIT, 295]) {
    const own = new Set(gatewayRoutes(areas, limit).map(({ method, path }) => `${method} ${path}`));
    expect(listed.filter((name) => !own.has(name))).toEqual([]);
  }
});

test.each([270, 240, 210])(
  'with at most %i gateway routes, every operation of the service reaches its own area',
  (limit) => {
    const routes = gatewayRoutes(areas, limit);
    expect(routes.length).toBeLessThanOrEqual(limit);
    expect(lost(areas, routes)).toEqual([]);
  },
);

test('a request reaches its own operation, also where a word of its path could be the id of another path', () => {
  const routes = gatewayRoutes(areas);
  const operations = areas.flatMap((area) => Object.entries(area.routes).map(([name, route]) => ({ name, ...route })));
  const reached = operations.map(({ method, path }) => {
    const area = areas.find(({ name }) => name === matchGateway(routes, method, requestTo(path))?.area);
    return makeRouter(area?.routes ?? {})(method, requestTo(path))?.name;
  });
  expect(reached).toEqual(operations.map(({ name }) => name));
  expect(operations.map(({ path }) => path)).toContain('/api/v1/findings/rules/{id}');
});

test('a service of 309 routes fits the quotas of gateway and stack, and every operation is reachable', () => {
  const large = fakeService(309);
  const parts = synthesiseParts(large);
  const { parent: template } = parts;
  const routes = deployedRoutes(template);
  expect(contract(large.areas)).toHaveLength(309);
  expect(routes.length).toBeLessThanOrEqual(GATEWAY_ROUTE_LIMIT);
  expect(lost(large.areas, routes)).toEqual([]);
  expect(largest(parts)).toBeLessThan(300);
  expect(Buffer.byteLength(JSON.stringify(template, null, 1))).toBeLessThan(1_000_000);
});

test.each([80, 150, 250])('with at most %i gateway routes, 309 operations still reach their own area', (limit) => {
  const large = fakeAreas(309);
  const routes = gatewayRoutes(large, limit);
  expect(routes.length).toBeLessThanOrEqual(limit);
  expect(new Set(byPath(routes)).size).toBe(routes.length);
  expect(lost(large, routes)).toEqual([]);
});

test('a deployment beyond the quota is refused at its synthesis', () => {
  expect(() => gatewayRoutes(fakeAreas(309), 10)).toThrow('more than 10');
});

test('an area with any number of routes needs one permission', () => {
  const large = fakeService(100);
  const permissions = ofType(synthesise(large), 'AWS::Lambda::Permission').filter(
    ([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com',
  );
  expect(permissions).toHaveLength(large.areas.length);
});
