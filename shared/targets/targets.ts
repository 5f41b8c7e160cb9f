import { domainToASCII } from 'node:url';
import type { ScanTarget, TargetType } from '../entities/scan-target.ts';
import type { TaskType } from '../entities/scanner.ts';
import { type Block, blockText, contains, parseBlock } from './addresses.ts';

/** The types of target that each type of task works on. No task works on an application: it only marks the scope. */
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

/** RFC 1123, section 2.1: labels of letters, digits and dashes, 63 each, 253 together. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const ONLY_NUMBERS = /^[\d.]+$/;
/** Distribution's reference grammar, loosely: registry/path:tag@digest. */
const IMAGE = /^[a-z0-9][a-z0-9._:/-]*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;
const PLAIN_NAME = /^[\w][\w.:/@-]*$/;
const GIT_SSH = /^[\w.-]+@[\w.-]+:[\w./-]+$/;

/** The value in its stored form, or the problem with it. Names are never resolved. */
type Checked = { value: string } | { problem: string };

const CHECKS: Record<TargetType, (value: string) => Checked> = {
  host: (value) => address(value) ?? hostName(value),
  domain: (value) => hostName(value.replace(/^\*\./, '')),
  cidr: (value) => {
    const block = value.includes('/') ? parseBlock(value) : undefined;
    return block ? { value: blockText(block) } : { problem: 'must be a CIDR such as 10.0.0.0/24 or 2001:db8::/64' };
  },
  url: webAddress,
  repository: (value) => (GIT_SSH.test(value) ? { value: value.replace(/[^@:]+(?=:)/, lower) } : repositoryName(value)),
  application: (value) => matching(PLAIN_NAME, value, 'must be an application id: letters, digits and _ . : / @ -'),
  cloud_account: (value) => matching(PLAIN_NAME, value, 'must be a cloud account id: letters, digits and _ . : / @ -'),
  container_image: (value) => matching(IMAGE, value, 'must be an image such as registry.example/app:1.2'),
};

export const checkTarget = ({ type, value }: ScanTarget): Checked => CHECKS[type](value);

const matching = (pattern: RegExp, value: string, problem: string): Checked =>
  pattern.test(value) ? { value } : { problem };

function address(value: string): Checked | undefined {
  const block = value.includes('/') ? undefined : parseBlock(value);
  return block && { value: blockText(block) };
}

function hostName(value: string): Checked {
  const ascii = domainToASCII(value.replace(/\.$/, '')).toLowerCase();
  const isName = HOST_NAME.test(ascii) && !ONLY_NUMBERS.test(ascii) && !/[\s/\\:@?#%]/.test(value);
  return isName ? { value: ascii } : { problem: 'must be a host name or an IP address' };
}

function webAddress(value: string): Checked {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return { problem: 'must be an http or https URL' };
  if (url.username || url.password) return { problem: 'must not carry a user name or password' };
  url.hash = '';
  // a name with the dot of the root is the same host
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return { value: url.href };
}

function repositoryName(value: string): Checked {
  if (!value.includes('://'))
    return matching(/^[\w.-]+(\/[\w.-]+)+$/, value, 'must be a repository such as https://host/owner/name');
  const url = URL.parse(value);
  const isKnown = url && ['http:', 'https:', 'ssh:', 'git:'].includes(url.protocol);
  if (!isKnown || url.pathname === '/') return { problem: 'must be a repository such as https://host/owner/name' };
  if (url.password || (url.username && url.protocol.startsWith('http')))
    return { problem: 'must not contain a user name or password' };
  url.hash = '';
  return { value: url.href.replace(/\/+$/, '') };
}

const lower = (text: string): string => text.toLowerCase();

/** The name of a repository, the same for every way to fetch it: `git@host:a/b.git` is `https://host/a/b`. */
export function repositoryOf(value: string): string {
  const url = value.includes('://') ? URL.parse(value) : null;
  const place = url ? `${url.host}${url.pathname}` : value.replace(/^[^@/]+@([^:/]+):\/*/, '$1/');
  return place.replace(/\/+$/, '').replace(/\.git$/, '');
}

/** A page in its compared form: percent-encoding and doubled slashes make no difference, `//%61dmin` is `/admin`. */
export type Page = { origin: string; path: string };

export function pageOf({ type, value }: Pick<ScanTarget, 'type' | 'value'>): Page | undefined {
  const url = type === 'url' ? URL.parse(value) : null;
  return url ? { origin: url.origin, path: decoded(url.pathname).replaceAll(/\/{2,}/g, '/') } : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether `inner` is the page `outer`, with any query, or a page below it. */
export function isUnder(outer: Page, inner: Page): boolean {
  if (outer.origin !== inner.origin) return false;
  const folder = outer.path.replace(/\/$/, '');
  return inner.path === folder || inner.path.startsWith(`${folder}/`);
}

/** The addresses of a target; undefined for a target without an address. */
export function blockOf({ type, value }: ScanTarget): Block | undefined {
  if (type === 'url') return parseBlock(URL.parse(value)?.hostname.replace(/^\[|\]$/g, '') ?? '');
  return type === 'host' || type === 'cidr' ? parseBlock(value) : undefined;
}

/** The host name of a target; undefined for a target without one. */
export function nameOf({ type, value }: ScanTarget): string | undefined {
  if (type === 'url') return URL.parse(value)?.hostname;
  return type === 'host' || type === 'domain' ? value : undefined;
}

/** Loopback, link-local (where clouds answer with credentials), unspecified and multicast addresses: RFC 6890. */
const NEAR = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8'].flatMap(
  (text) => parseBlock(text) ?? [],
);

/** Whether a target is the scanner itself or its own network. No client may scan these with a shared scanner. */
export function isNextToScanner(target: ScanTarget): boolean {
  const block = blockOf(target);
  if (block) return NEAR.some((near) => contains(near, block) || contains(block, near));
  const name = nameOf(target);
  return name === 'localhost' || name?.endsWith('.localhost') === true;
}
