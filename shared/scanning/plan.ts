import type { ScanTarget } from '../entities/scan-target.ts';
import type { TaskType } from '../entities/scanner.ts';
import { type Block, blockText, contains, sizeOf, split, subtract } from './addresses.ts';
import { blockOf, nameOf, WORKS_ON } from './targets.ts';

/** A task to be made. */
export type Planned = { type: TaskType; target: ScanTarget };

/** The addresses that one engagement may name, all its ranges together. */
export const MAX_ADDRESSES = 65_536n;
/** A network scan takes a range of up to 2^8 addresses as one task; larger ones are shared out in such pieces. */
const NETWORK_BITS = 8;

export type Scope = {
  targets: readonly ScanTarget[];
  exclusions: readonly ScanTarget[];
  taskTypes: readonly TaskType[];
};

/** How many addresses the ranges of a scope have, before exclusions. */
export const addressesOf = ({ targets }: Pick<Scope, 'targets'>): bigint =>
  targets.reduce((sum, target) => sum + (target.type === 'cidr' ? sizeOf(blockOf(target) ?? NO_BLOCK) : 0n), 0n);

const NO_BLOCK: Block = { version: 4, first: 0n, prefix: 32 };

/**
 * Every task of an engagement, in the same order each time: per type of task and target that it works on. A range is
 * one task per 256 addresses for a network scan and one task per address for the others. What is excluded is left out:
 * of a range its addresses, of a domain the names under it. Names are not resolved, so an excluded address does not
 * exclude the names that point to it.
 */
export function* planTasks({ targets, exclusions, taskTypes }: Scope): Generator<Planned> {
  const made = new Set<string>();
  for (const type of taskTypes)
    for (const target of targets)
      for (const part of partsOf(type, target, exclusions)) {
        const key = `${type} ${part.zone ?? ''} ${part.type} ${part.value}`;
        if (made.has(key)) continue;
        made.add(key);
        yield { type, target: part };
      }
}

function partsOf(type: TaskType, target: ScanTarget, exclusions: readonly ScanTarget[]): ScanTarget[] {
  if (!WORKS_ON[type].includes(target.type)) return [];
  const near = exclusions.filter(({ zone }) => zone === null || zone === target.zone);
  if (target.type !== 'cidr') return near.some((exclusion) => excludes(exclusion, target)) ? [] : [target];
  const block = blockOf(target);
  const left = block
    ? subtract(
        block,
        near.flatMap((exclusion) => blockOf(exclusion) ?? []),
      )
    : [];
  const parts = left.flatMap((piece) => split(piece, type === 'network' ? NETWORK_BITS : 0));
  return parts.map((part) => ({ type: isSingle(part) ? 'host' : 'cidr', value: blockText(part), zone: target.zone }));
}

const isSingle = (block: Block): boolean => sizeOf(block) === 1n;

/** An exclusion without a zone holds in every zone. */
export function excludes(exclusion: ScanTarget, target: ScanTarget): boolean {
  if (exclusion.type === 'url' && target.type === 'url') return isUnder(exclusion.value, target.value);
  if (exclusion.type === 'url') return false;
  const [range, address] = [blockOf(exclusion), blockOf(target)];
  if (range && address) return contains(range, address);
  const [name, host] = [nameOf(exclusion), nameOf(target)];
  if (name !== undefined && host !== undefined)
    return host === name || (exclusion.type === 'domain' && host.endsWith(`.${name}`));
  return exclusion.type === target.type && exclusion.value === target.value;
}

/** The same place, or one below it. */
const isUnder = (outer: string, inner: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
