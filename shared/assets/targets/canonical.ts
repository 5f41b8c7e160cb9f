import { domainToASCII } from 'node:url';
import {
  type Block,
  blockText,
  contains,
  hostnameOf,
  parseBlock,
  parseRange,
  sizeOf,
} from '#shared/platform/runtime/addresses.ts';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import type { ScanTarget, TargetType } from './scan-target.ts';
import { hostOf } from './targets.ts';

/** RFC 1123, section 2.1: labels of letters, digits and dashes, 63 each, 253 together; names of services have a `_`. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/;
/**
 * Texts that some tool takes for addresses: Nmap expands `10.0.0.1-9`, resolvers read `0x7f.1`, `017700000001` and
 * `127.1` as numbers. No top-level domain is a number (RFC 3696, section 2; the URL standard refuses such names too).
 */
const LIKE_ADDRESS = /^[\d.-]+$|(^|\.)(\d+|0x[\da-f]*)$/;
/** Distribution's reference grammar, loosely: registry/path:tag@digest. */
const IMAGE = /^[a-z0-9][a-z0-9._:/-]*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;
const PLAIN_NAME = /^[\w][\w.:/@-]*$/;
const GIT_SSH = /^[\w.-]+@[\w.-]+:[\w./-]+$/;

type Place = Pick<ScanTarget, 'type' | 'value'>;
type Problem = { problem: string };
type Spelled = { value: string } | Problem;

const NEITHER = 'must be a host name such as shop.example.com or an IP address such as 192.0.2.7';
const NO_RANGE = 'must be a CIDR such as 10.0.0.0/24 or 2001:db8::/64, or a range such as 10.0.0.5-10.0.0.9';
const NO_REPOSITORY = 'must be a repository such as https://host/owner/name';

const SPELL: Record<Exclude<TargetType, 'cidr'>, (value: string) => Spelled> = {
  host,
  domain: (value) => hostName(value.replace(/^\*\./, '')),
  url: webAddress,
  repository: (value) => withHost('repository', repository(value)),
  application: (value) => matching(PLAIN_NAME, value, 'must be an application id: letters, digits and _ . : / @ -'),
  cloud_account: (value) => matching(PLAIN_NAME, value, 'must be a cloud account id: letters, digits and _ . : / @ -'),
  container_image: (value) =>
    withHost('container_image', matching(IMAGE, value, 'must be an image such as registry.example/app:1.2')),
};

/**
 * The canonical spelling of a target, or the problem with it. A range of addresses is several targets: the CIDRs that
 * hold exactly its addresses. Names are never resolved.
 */
export function canonicalTargets({ type, value }: Place): Place[] | Problem {
  if (type === 'cidr') return ranges(value);
  const spelled = SPELL[type](value);
  return 'problem' in spelled ? spelled : [{ type, value: spelled.value }];
}

/** The canonical spelling of a target, for a place that allows only one. */
export function checkTarget(target: Place): Place | Problem {
  const found = canonicalTargets(target);
  if ('problem' in found) return found;
  const [only, ...more] = found;
  return only && more.length === 0
    ? only
    : { problem: 'must be one CIDR such as 10.0.0.0/24: name the range in parts' };
}

function ranges(value: string): Place[] | Problem {
  const block = parseBlock(value);
  const blocks = block ? [block] : parseRange(value);
  if (!blocks) return { problem: NO_RANGE };
  const stray = blocks.find(isTranslated);
  if (stray) return translated(stray);
  return blocks.map((one) => ({ type: sizeOf(one) === 1n ? 'host' : 'cidr', value: blockText(one) }));
}

const matching = (pattern: RegExp, value: string, problem: string): Spelled =>
  pattern.test(value) ? { value } : { problem };

function host(value: string): Spelled {
  const block = value.includes('/') ? undefined : parseBlock(value);
  if (block) return isTranslated(block) ? translated(block) : { value: blockText(block) };
  return parseRange(value) ? { problem: 'must be one host: give a range of addresses the type cidr' } : hostName(value);
}

function hostName(value: string): Spelled {
  const ascii = domainToASCII(value.replace(/\.$/, '')).toLowerCase();
  const isName = HOST_NAME.test(ascii) && !LIKE_ADDRESS.test(ascii) && !/[\s/\\:@?#%]/.test(value);
  return isName ? { value: ascii } : { problem: NEITHER };
}

/** 64:ff9b::/96 represents all IPv4 addresses (RFC 6052), and an exclusion of the IPv4 address would miss it. */
const NAT64 = parseBlock('64:ff9b::/96');
const isTranslated = (block: Block): boolean => NAT64 !== undefined && contains(NAT64, block);
const translated = ({ first }: Block): Problem => {
  const address = blockText({ version: 4, first: first & 0xffffffffn, prefix: 32 });
  return { problem: `must name the IPv4 address itself: ${address}` };
};

function webAddress(value: string): Spelled {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return { problem: 'must be an http or https URL' };
  if (url.username || url.password) return { problem: 'must not carry a user name or password' };
  return spellUrl(url, value);
}

/** The URL with its host in its one spelling. The URL parser reads `0x7f.1` as an address; here it is refused. */
function spellUrl(url: URL, value: string): Spelled {
  const spelled = host(hostnameOf(url));
  if ('problem' in spelled) return spelled;
  const authority = value.replace(/^\s*[a-z+]+:[/\\]*([^/?#\\]*@)?/i, '');
  if (/^[\d.]+$/.test(url.hostname) && !authority.startsWith(url.hostname)) return { problem: NEITHER };
  url.hostname = spelled.value.includes(':') ? `[${spelled.value}]` : spelled.value;
  url.hash = '';
  return { value: url.href };
}

function repository(value: string): Spelled {
  if (GIT_SSH.test(value)) return { value: value.replace(/@[^@:]+:/, (name) => name.toLowerCase()) };
  if (!value.includes('://')) return matching(/^[\w.-]+(\/[\w.-]+)+$/, value, NO_REPOSITORY);
  const url = URL.parse(value);
  const isKnown = url && ['http:', 'https:', 'ssh:', 'git:'].includes(url.protocol);
  if (!isKnown || withoutTrailing('/', url.pathname) === '') return { problem: NO_REPOSITORY };
  if (url.password || (url.username && url.protocol.startsWith('http')))
    return { problem: 'must not contain a user name or password' };
  const spelled = spellUrl(url, value);
  return 'problem' in spelled ? spelled : { value: withoutTrailing('/', spelled.value) };
}

/** Checks the host of a repository or image, if it names one. */
function withHost(type: TargetType, spelled: Spelled): Spelled {
  if ('problem' in spelled) return spelled;
  const named = hostOf({ type, value: spelled.value });
  const checked = named === undefined ? undefined : host(named);
  return checked && 'problem' in checked ? checked : spelled;
}
