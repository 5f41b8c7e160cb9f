import { checkTarget } from '#shared/assets/targets/canonical.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { blockOf, nameOf } from '#shared/assets/targets/targets.ts';
import { contains, parseBlock } from '#shared/platform/runtime/addresses.ts';
import type { ScannerGroup } from '../scanners/scanner-group.ts';
import type { PlannedTask } from './plan.ts';

type Route = Pick<ScannerGroup, 'id' | 'zone' | 'routing' | 'taskTypes'>;

/**
 * The group with the most specific route to a task's target, of the target's zone and for the task's type. A host name
 * or address is more specific than a domain or range around it, and a longer route more than a shorter one. Of equal
 * routes the older group wins. A range goes to a group only as a whole. Undefined: any suitable scanner.
 */
export function routeTask(groups: readonly Route[], { type, target }: PlannedTask): string | undefined {
  const fits = groups
    .filter(({ zone, taskTypes }) => zone === target.zone && (taskTypes.length === 0 || taskTypes.includes(type)))
    .map(({ id, routing }) => ({ id, rank: Math.max(-1, ...routing.map((route) => specificity(route, target))) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1));
  return fits[0]?.id;
}

/** How closely a route matches a target; -1: no match. */
function specificity(route: string, target: ScanTarget): number {
  const [outer, inner] = [parseBlock(route), blockOf(target)];
  if (outer || inner) return outer && inner && contains(outer, inner) ? outer.prefix : -1;
  const name = nameOf(target);
  if (name === undefined) return -1;
  if (!route.startsWith('*.')) return route === name ? Number.MAX_SAFE_INTEGER : -1;
  const domain = route.slice(2);
  return name === domain || name.endsWith(`.${domain}`) ? domain.length : -1;
}

/** The route in its stored form, or the problem with it. */
export function checkRoute(route: string): { value: string } | { problem: string } {
  const isWildcard = route.startsWith('*.');
  const type = route.includes('/') ? 'cidr' : isWildcard ? 'domain' : 'host';
  const checked = checkTarget({ type, value: route });
  if ('problem' in checked) return checked;
  return { value: isWildcard ? `*.${checked.value}` : checked.value };
}
