import { type Block, hostnameOf, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { decoded } from '#shared/platform/runtime/texts.ts';
import type { ScanTarget, TargetType, TaskType } from './scan-target.ts';

/**
 * The types of target that each type of task works on. No task works on an application: it only marks the engagement
 * scope.
 */
export const WORKS_ON: Record<TaskType, readonly TargetType[]> = {
  network: ['host', 'cidr', 'domain'],
  web: ['host', 'cidr', 'domain', 'url'],
  tls: ['host', 'cidr', 'domain', 'url'],
  configuration: ['host', 'cidr', 'domain', 'cloud_account', 'repository'],
  sast: ['repository'],
  dependencies: ['repository', 'container_image'],
  secrets: ['repository', 'container_image'],
  container: ['container_image'],
  cloud: ['cloud_account'],
};

/** A page in its compared form: percent-encoding and doubled slashes make no difference, `//%61dmin` is `/admin`. */
export type Page = { origin: string; path: string };

export function pageOf({ type, value }: Pick<ScanTarget, 'type' | 'value'>): Page | undefined {
  const url = type === 'url' ? URL.parse(value) : null;
  return url ? { origin: url.origin, path: decoded(url.pathname).replaceAll(/\/{2,}/g, '/') } : undefined;
}

/** Whether `inner` is the page `outer`, with any query, or a page below it. */
export function isUnder(outer: Page, inner: Page): boolean {
  if (outer.origin !== inner.origin) return false;
  const folder = outer.path.replace(/\/$/, '');
  return inner.path === folder || inner.path.startsWith(`${folder}/`);
}

/** The addresses of a target; undefined for a target without an address. */
export function blockOf({ type, value }: ScanTarget): Block | undefined {
  const url = type === 'url' && URL.parse(value);
  if (url) return parseBlock(hostnameOf(url));
  return type === 'host' || type === 'cidr' ? parseBlock(value) : undefined;
}

/** The host name of a target; undefined for a target without one. */
export function nameOf({ type, value }: ScanTarget): string | undefined {
  if (type === 'url') return URL.parse(value)?.hostname;
  return type === 'host' || type === 'domain' ? value : undefined;
}

/** The host from which a target is served, a name or an address; undefined for a target without one. */
export function hostOf({ type, value }: Pick<ScanTarget, 'type' | 'value'>): string | undefined {
  if (type === 'host' || type === 'domain') return value;
  const url = type === 'container_image' ? null : URL.parse(value);
  if (url?.hostname && value.includes('://')) return hostnameOf(url);
  if (type !== 'repository' && type !== 'container_image') return undefined;
  const [, ssh] = /^[\w.-]+@([^:/]+):/.exec(value) ?? [];
  const [first = '', ...path] = value.split('/');
  // `acme/shop` names no host, `git.example/acme/shop` and `localhost:5000/shop` do (Distribution's reference grammar)
  const isHost = path.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return ssh ?? (isHost ? first.replace(/:\d+$/, '') : undefined);
}
