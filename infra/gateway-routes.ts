import type { Area } from '#functions/area.ts';

export type GatewayRoute = { method: string; path: string; area: string };

/** API Gateway takes 300 routes per HTTP API unless AWS raises the quota; the difference is room for a new release.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const GATEWAY_ROUTE_LIMIT = 290;

/**
 * The gateway's routes: one per operation while these fit. Otherwise the areas that save most routes get one route per
 * prefix for all methods; their functions route by method and path anyway (docs/decisions/0003-routes.md).
 */
export function gatewayRoutes(areas: readonly Area[], limit = GATEWAY_ROUTE_LIMIT): GatewayRoute[] {
  const perArea = new Map(areas.map((area) => [area.name, routesOf(area)]));
  const savings = areas
    .map((area) => ({ area, collapsed: collapse(area) }))
    .sort((a, b) => saved(b.area, b.collapsed) - saved(a.area, a.collapsed));
  for (const { area, collapsed } of savings) {
    if (count(perArea) <= limit) break;
    const others = [...perArea].filter(([name]) => name !== area.name).flatMap(([, routes]) => routes);
    if (saved(area, collapsed) > 0 && !overlaps(collapsed, others)) perArea.set(area.name, collapsed);
  }
  if (count(perArea) > limit) throw new Error(`${count(perArea)} gateway routes: more than ${limit}`);
  return [...perArea.values()].flat();
}

const routesOf = ({ name, routes }: Area): GatewayRoute[] =>
  Object.values(routes).map(({ method, path }) => ({ method, path, area: name }));

const count = (perArea: Map<string, GatewayRoute[]>): number => [...perArea.values()].flat().length;
const saved = ({ routes }: Area, collapsed: GatewayRoute[]): number => Object.keys(routes).length - collapsed.length;

/** Two areas cannot share a prefix: the second area keeps its own routes, which are more specific and win. */
function overlaps(collapsed: GatewayRoute[], others: GatewayRoute[]): boolean {
  const keys = new Set(others.map(({ method, path }) => `${method} ${path}`));
  return collapsed.some(({ method, path }) => keys.has(`${method} ${path}`));
}

/** `ANY` on each shortest prefix of the area and on all paths below it. */
function collapse({ name, routes }: Area): GatewayRoute[] {
  const paths = Object.values(routes).map(({ path }) => path);
  const prefixes = [...new Set(paths.map(literalPrefix))];
  const shortest = prefixes.filter((prefix) => !prefixes.some((other) => prefix.startsWith(`${other}/`)));
  return shortest.flatMap((prefix) => {
    const own = paths.includes(prefix) ? [prefix] : [];
    const below = paths.some((path) => path.startsWith(`${prefix}/`)) ? [`${prefix}/{proxy+}`] : [];
    return [...own, ...below].map((path) => ({ method: 'ANY', path, area: name }));
  });
}

/** `/api/v1/groups` of `/api/v1/groups/{id}/members` */
const literalPrefix = (path: string): string => path.split('/{')[0] ?? path;
