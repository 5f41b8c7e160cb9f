import { type GatewayRoute, UNKNOWN_PATHS } from '#infra/gateway-routes.ts';

/** The route that API Gateway takes for a request. It prefers a method to ANY, a full match to a greedy one, a literal
 * segment to a variable from the left, and the longer greedy prefix; `$default` takes what no route fits.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export function matchGateway(routes: readonly GatewayRoute[], method: string, path: string): GatewayRoute | undefined {
  const segments = path.split('/');
  const fitting = routes.filter(
    (route) => (route.method === method || route.method === 'ANY') && fits(route.path.split('/'), segments),
  );
  return fitting.sort((a, b) => compare(rank(b), rank(a)))[0] ?? routes.find((route) => route.path === UNKNOWN_PATHS);
}

function fits(pattern: string[], segments: string[]): boolean {
  if (pattern.at(-1) === '{proxy+}') {
    const prefix = pattern.slice(0, -1);
    return segments.length > prefix.length && prefix.every((part, n) => sameSegment(part, segments[n]));
  }
  return pattern.length === segments.length && pattern.every((part, n) => sameSegment(part, segments[n]));
}

const sameSegment = (part: string, segment: string | undefined): boolean => part.startsWith('{') || part === segment;

/** The rank of a route; higher is more specific: full before greedy, then segment by segment, then the method. */
function rank({ method, path }: GatewayRoute): number[] {
  const parts = path.split('/').map((part) => (part === '{proxy+}' ? 0 : part.startsWith('{') ? 1 : 2));
  return [path.endsWith('{proxy+}') ? 0 : 1, ...parts, method === 'ANY' ? 0 : 1];
}

function compare(a: number[], b: number[]): number {
  for (let n = 0; n < Math.max(a.length, b.length); n++) {
    const difference = (a[n] ?? -1) - (b[n] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
