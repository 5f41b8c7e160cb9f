import { type Area, unknownPathsArea } from '#functions/area.ts';
import type { Route } from '#shared/platform/http/route.ts';

export type GatewayRoute = { method: string; path: string; area: string };

/** API Gateway takes 300 routes per HTTP API unless AWS raises the quota; the difference is room for a new release.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const GATEWAY_ROUTE_LIMIT = 297;

/** The path of the route for all paths without an operation. Its function answers the error of the interface. */
export const UNKNOWN_PATHS = '/$default';

/**
 * The gateway's routes: one per operation while these fit. Otherwise some operations of an area share one route per
 * prefix for all methods, as few operations as possible; functions route by method and path anyway
 * (docs/decisions/0003-routes.md). Operations that the interface names keep their routes as long as folding the others
 * is enough. The route of unknown paths is also that of the operations of its own area.
 */
export function gatewayRoutes(areas: readonly Area[], limit = GATEWAY_ROUTE_LIMIT): GatewayRoute[] {
  const unknown = unknownPathsArea(areas)?.name ?? '';
  const operations = areas
    .filter(({ name }) => name !== unknown)
    .flatMap(({ name, routes }) => Object.values(routes).map((route) => ({ ...route, area: name })));
  const excess = operations.length + 1 - limit;
  const ours = foldsOf(operations.filter(isOurs), operations);
  const folds =
    chooseFolds(ours, excess, savedByEach) ??
    chooseFolds(ours, excess, savedBy) ??
    chooseFolds(foldsOf(operations, operations), excess, savedByEach);
  if (!folds)
    throw new Error(`${operations.length} operations and unknown paths need more than ${limit} gateway routes`);
  const folded = new Set(folds.flatMap((fold) => fold.operations));
  const single = operations.filter((operation) => !folded.has(operation));
  const ofUnknown = { method: 'ANY', path: UNKNOWN_PATHS, area: unknown };
  return [...single, ...folds.flatMap(({ routes }) => routes), ofUnknown].map(({ method, path, area }) => ({
    method,
    path,
    area,
  }));
}

type Operation = Route & { area: string };

/** Whether the interface does not name the operation. */
const isOurs = ({ operation }: Operation): boolean => operation === undefined;

/** Operations of one area under one prefix, and the routes that replace them. */
type Fold = { prefix: string; operations: Operation[]; routes: GatewayRoute[] };

const savedBy = ({ operations, routes }: Fold): number => operations.length - routes.length;
const savedByEach = (fold: Fold): number => savedBy(fold) / fold.routes.length;

/**
 * Folds that save as many routes as are too many, `worth` first; undefined if these folds save fewer. A fold excludes those
 * that overlap it, so that another order may save more.
 */
function chooseFolds(folds: readonly Fold[], excess: number, worth: (fold: Fold) => number): Fold[] | undefined {
  const chosen: Fold[] = [];
  let possible = folds.toSorted((a, b) => savedBy(a) - savedBy(b));
  for (let left = excess; left > 0; ) {
    const next = possible.find((fold) => savedBy(fold) >= left) ?? possible.toSorted((a, b) => worth(b) - worth(a))[0];
    if (!next) return undefined;
    possible = possible.filter((fold) => !excludes(fold, next));
    chosen.push(next);
    left -= savedBy(next);
  }
  return chosen;
}

/** Every prefix under which one area has operations, from `/api/v1/groups` on, the longest first. */
function foldsOf(operations: readonly Operation[], all: readonly Operation[]): Fold[] {
  const taken = new Set(operations.filter((operation) => isTaken(operation, all)));
  const byPrefix = Map.groupBy(
    operations.flatMap((operation) => prefixesOf(operation.path).map((prefix) => ({ prefix, operation }))),
    ({ prefix, operation }) => `${operation.area} ${prefix}`,
  );
  return [...byPrefix.values()]
    .map((entries) =>
      fold(
        entries[0]?.prefix ?? '',
        entries.map(({ operation }) => operation),
      ),
    )
    .filter((one) => one.operations.every((operation) => operation.path === one.prefix || !taken.has(operation)))
    .filter((one) => savedBy(one) > 0)
    .sort((a, b) => b.prefix.length - a.prefix.length);
}

/** Whether a route of another area with a variable, such as `/groups/{id}`, would take `/groups/search` from a route for all paths below `/groups`. */
const isTaken = ({ area, method, path }: Operation, all: readonly Operation[]): boolean =>
  all.some((other) => {
    const isOther = other.area !== area && other.method === method;
    return isOther && segmentsOf(other.path).length === segmentsOf(path).length && isUnder(other.path, path);
  });

/** `/api/v1/groups` and `/api/v1/groups/{id}` of `/api/v1/groups/{id}`. Areas share `/api/v1`; one has all of `/scim/v2`. */
function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  const shortest = path.startsWith('/scim/v2/') ? 3 : 4;
  return segments.slice(shortest - 1).map((_, n) => segments.slice(0, n + shortest).join('/'));
}

/** A route for the prefix, if operations have this path (`ANY` for several), and `ANY` for all paths below it. */
function fold(prefix: string, operations: Operation[]): Fold {
  const [area = ''] = operations.map((operation) => operation.area);
  const [first, ...others] = operations.filter(({ path }) => path === prefix);
  const own = first ? [{ method: others.length === 0 ? first.method : 'ANY', path: prefix, area }] : [];
  const isBelow = operations.some(({ path }) => path !== prefix);
  const below = isBelow ? [{ method: 'ANY', path: `${prefix}/{proxy+}`, area }] : [];
  return { prefix, operations, routes: [...own, ...below] };
}

/** Whether two folds share an operation, or a request to an operation of one would reach the other: the longer prefix wins. */
const excludes = (one: Fold, other: Fold): boolean =>
  one.operations.some((operation) => other.operations.includes(operation)) ||
  takesFrom(one, other) ||
  takesFrom(other, one);

const takesFrom = (taker: Fold, owner: Fold): boolean =>
  segmentsOf(taker.prefix).length >= segmentsOf(owner.prefix).length &&
  owner.operations.some(({ path }) => isUnder(taker.prefix, path));

const segmentsOf = (path: string): string[] => path.split('/');

/** Whether a route for all paths below a prefix takes a path; a variable matches any segment. */
function isUnder(prefix: string, path: string): boolean {
  const segments = segmentsOf(path);
  return segmentsOf(prefix).every(
    (segment, n) => segments[n] !== undefined && (segment.startsWith('{') || segment === segments[n]),
  );
}
