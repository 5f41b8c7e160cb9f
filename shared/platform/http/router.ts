import { decoded, withoutTrailing } from '../runtime/texts.ts';
import type { Method, Route, Routes } from './route.ts';

export type Match<Name extends string = string> = { name: Name; route: Route; params: Record<string, string> };

/** Finds the route of a request. A literal segment wins over a parameter (`/tasks/status` over `/tasks/{id}`). */
export function makeRouter<R extends Routes>(
  routes: R,
): (method: string, path: string) => Match<keyof R & string> | undefined {
  const compiled = Object.entries(routes)
    .map(([name, route]) => ({ name, route, segments: route.path.split('/') }))
    .sort((a, b) => parameters(a.segments) - parameters(b.segments));
  const alike = Map.groupBy(compiled, ({ route, segments }) => `${route.method} ${segments.length}`);
  return (method, path) => {
    const segments = segmentsOf(path);
    for (const { name, route, segments: pattern } of alike.get(`${method} ${segments.length}`) ?? []) {
      const params = matchSegments(pattern, segments);
      if (params) return { name, route, params };
    }
    return undefined;
  };
}

/** The methods that a path answers, for the message to a caller who used another. */
export function methodsOf(routes: Routes, path: string): Method[] {
  const segments = segmentsOf(path);
  return Object.values(routes)
    .filter((route) => matchSegments(route.path.split('/'), segments))
    .map((route) => route.method);
}

const segmentsOf = (path: string): string[] => withoutTrailing('/', path).split('/');

const parameters = (segments: string[]): number => segments.filter((segment) => segment.startsWith('{')).length;

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [n, expected] of pattern.entries()) {
    const segment = segments[n] ?? '';
    if (expected.startsWith('{')) params[expected.slice(1, -1)] = decoded(segment);
    else if (expected !== segment) return undefined;
  }
  return Object.values(params).every((value) => value !== '') ? params : undefined;
}
