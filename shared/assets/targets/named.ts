import { isIP } from 'node:net';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { checkTarget } from './canonical.ts';
import { repositoryName } from './repository.ts';
import type { ScanTarget } from './scan-target.ts';

type NamedTarget = Pick<ScanTarget, 'type' | 'value'>;

/** Kinds whose values have a syntax; other values are names that organizations choose freely. */
const STRICT: readonly ScanTarget['type'][] = ['cidr', 'url', 'host', 'domain'];

/**
 * The target as scanners are given it, so that a CI job and a scanner mean the same asset and scan scope in any
 * spelling.
 * @throws validation_failed
 */
export function targetOf(given: NamedTarget | string, path = 'target'): NamedTarget {
  const target = typeof given === 'string' ? targetNamed(given) : given;
  if (target.type === 'repository') return { type: target.type, value: repositoryName(target.value) };
  const checked = checkTarget(target);
  if ('value' in checked) return checked;
  if (!STRICT.includes(target.type)) return { type: target.type, value: target.value };
  throw invalid(typeof given === 'string' ? path : `${path}.value`, checked.problem);
}

/** The type of a target that is only a text. */
export function targetNamed(text: string): NamedTarget {
  const value = text.trim();
  const [network = '', bits] = value.split('/');
  if (isIP(network) && bits !== undefined) return { type: 'cidr', value };
  if (isIP(value)) return { type: 'host', value };
  if (/^(ssh|git):\/\/|^[\w.-]+@[\w.-]+:|^https?:\/\/\S+\.git\/?$/i.test(value)) return { type: 'repository', value };
  if (/^https?:\/\//i.test(value) && URL.parse(value)) return { type: 'url', value };
  if (/^[\w.-]+\.[a-z]{2,}\/\S+$/i.test(value) || /^[\w-]+\/[\w.-]+$/.test(value)) return { type: 'repository', value };
  return { type: /^[\w-]+(\.[\w-]+)*$/.test(value) ? 'host' : 'application', value };
}
