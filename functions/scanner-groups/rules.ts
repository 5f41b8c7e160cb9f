import { invalid } from '#shared/runtime/errors.ts';
import { checkRoute } from '#shared/scanner-tasks/routing.ts';

/** The routes in the form in which they are compared. @throws validation_failed naming the one that is wrong */
export const checkRouting = (routes: readonly string[]): string[] =>
  routes.map((route, n) => {
    const checked = checkRoute(route);
    if ('value' in checked) return checked.value;
    throw invalid(`routing.${n}`, 'is no CIDR, host or *.domain');
  });
