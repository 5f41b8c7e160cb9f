import type { Area } from '#functions/area.ts';

export type GatewayRoute = { method: string; path: string; area: string };

/** API Gateway takes 300 routes per HTTP API unless AWS raises the quota; the difference is room for a new release.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const GATEWAY_ROUTE_LIMIT = 290;

/**
 * The gateway's routes: one per operation while these fit. Otherwise some areas get one route per prefix for all methods, as few
 * routes less as are needed; their functions route by method and path anyway (docs/decisions/0003-routes.md).
 */
export function gatewayRoutes(areas: readonly Area[], limit = GATEWAY_ROUTE_LIMIT): GatewayRoute[] {
  const perArea = new Map(areas.map((area) => [area.name, routesOf(area)]));
  let foldable = areas.map((area) => {
    const folded = collapse(area);
    return { name: area.name, folded, saved: routesOf(area).length - folded.length };
  });
  while (count(perArea) > limit) {
    const others = (name: string) => [...perArea].filter(([one]) => one !== name).flatMap(([, routes]) => routes);
    foldable = foldable
      .filter(({ name, folded, saved }) => saved > 0 && !overlaps(folded, others(name)))
      .sort((a, b) => a.saved - b.saved);
    const excess = count(perArea) - limit;
    const next = foldable.find(({ saved }) => saved >= excess) ?? foldable.toSorted(bySavingOfEach)[0];
    if (!next) throw new Error(`${count(perArea)} gateway routes: more than ${limit}`);
    perArea.set(next.name, next.folded);
    foldable = foldable.filter((one) => one !== next);
  }
  return [...perArea.values()].flat();
}

type Folded = { folded: GatewayRoute[]; saved: number };

/** First those of which each route for all methods stands for most operations. */
const bySavingOfEach = (a: Folded, b: Folded): number => b.saved / b.folded.length - a.saved / a.folded.length;

const routesOf = ({ name, routes }: Area): GatewayRoute[] =>
  Object.values(routes).map(({ method, path }) => ({ method, path, area: name }));

const count = (perArea: Map<string, GatewayRoute[]>): number => [...perArea.values()].flat().length;

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
