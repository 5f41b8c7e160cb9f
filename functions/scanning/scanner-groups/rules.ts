import { invalid } from '#shared/platform/runtime/errors.ts';
import { checkRoute } from '#shared/scanning/scanner-tasks/routing.ts';

/** The routes in their stored form. @throws validation_failed with the path of the first wrong route */
export const checkRouting = (routes: readonly string[]): string[] =>
  routes.map((route, n) => {
    const checked = checkRoute(route);
    if ('value' in checked) return checked.value;
    throw invalid(`routing.${n}`, 'must be a CIDR, a host or a domain such as *.example.com');
  });
