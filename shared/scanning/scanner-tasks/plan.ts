import { repositoryName } from '#shared/assets/targets/repository.ts';
import type { ScanTarget, TaskType } from '#shared/assets/targets/scan-target.ts';
import { blockOf, isUnder, nameOf, type Page, pageOf, WORKS_ON } from '#shared/assets/targets/targets.ts';
import { type Block, blockText, contains, sizeOf, split, subtract } from '#shared/platform/runtime/addresses.ts';

/** A task to make, and the exclusions within its target. */
export type PlannedTask = { type: TaskType; target: ScanTarget; exclusions?: ScanTarget[] };

/** The addresses that one engagement may scan, of its ranges and hosts together. */
export const MAX_ADDRESSES = 65_536n;
/** A network scan takes up to 2^8 addresses as one task; larger ranges are split. */
const NETWORK_BITS = 8;

export type PlanScope = {
  targets: readonly ScanTarget[];
  exclusions: readonly ScanTarget[];
  taskTypes: readonly TaskType[];
};

/** The number of addresses in an engagement scope without its exclusions, each counted once in its zone. */
export function addressesOf({ targets, exclusions }: Pick<PlanScope, 'targets' | 'exclusions'>): bigint {
  const left = remaining(targets, exclusions.map(parseTarget));
  // a host and a range of one address may be the same
  const single = new Set<string>();
  let inRanges = 0n;
  for (const { target, blocks } of left) {
    const own = target.type === 'host' ? blockOf(target) : undefined;
    for (const block of own ? [own] : blocks)
      if (isSingle(block)) single.add(`${target.zone ?? ''} ${blockText(block)}`);
      else inRanges += sizeOf(block);
  }
  return inRanges + BigInt(single.size);
}

/**
 * Every task of an engagement, always in the same order: one per type of task and target. A range becomes one task per
 * 256 addresses for a network scan, one task per address for the others. Excluded targets and addresses are left out.
 * Names are not resolved here: a task on a name contains the excluded addresses, and the scanner, which resolves the
 * name, avoids them. The task also contains the excluded names below its domain and the excluded pages of its site.
 */
export function* planTasks({ targets, exclusions, taskTypes }: PlanScope): Generator<PlannedTask> {
  const left = remaining(targets, exclusions.map(parseTarget));
  const made = new Set<string>();
  for (const type of taskTypes)
    for (const one of left)
      for (const part of partsOf(type, one)) {
        const key = `${type} ${part.zone ?? ''} ${part.type} ${part.value}`;
        if (made.has(key)) continue;
        made.add(key);
        const exclusions = one.within(type, part);
        yield { type, target: part, ...(exclusions.length > 0 && { exclusions }) };
      }
}

/** A target, parsed once: an engagement may compare a million pairs. */
type ParsedTarget = { target: ScanTarget; block: Block | undefined; name: string | undefined; page: Page | undefined };
const parseTarget = (target: ScanTarget): ParsedTarget => ({
  target,
  block: blockOf(target),
  name: nameOf(target),
  page: pageOf(target),
});

type RemainingTarget = {
  target: ScanTarget;
  blocks: Block[];
  /** The exclusions within a part of the target that a type of task works on. */
  within: (type: TaskType, part: ScanTarget) => ScanTarget[];
};

/** The targets that are not excluded, and the remaining blocks of ranges. An exclusion without a zone counts in all. */
function remaining(targets: readonly ScanTarget[], exclusions: readonly ParsedTarget[]): RemainingTarget[] {
  return distinct(targets.map(parseTarget)).flatMap((one): RemainingTarget[] => {
    const { target, block } = one;
    const near = exclusions.filter(({ target: { zone } }) => zone === null || zone === target.zone);
    if (target.type !== 'cidr' && near.some((exclusion) => excludes(exclusion, one))) return [];
    const within = exclusionsWithin(one, near);
    if (target.type !== 'cidr') return [{ target, blocks: [], within }];
    const holes = near.flatMap((exclusion) => (exclusion.page ? [] : (exclusion.block ?? [])));
    return block ? [{ target, blocks: subtract(block, holes), within }] : [];
  });
}

function exclusionsWithin(one: ParsedTarget, near: readonly ParsedTarget[]): RemainingTarget['within'] {
  const inside = near.filter((exclusion) => liesIn(exclusion, one)).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const byAddress = Map.groupBy(inside, ({ block }) => block && blockText(block));
  return (type, { value }) => {
    const within = one.target.type === 'cidr' ? (byAddress.get(value) ?? []) : inside;
    return within.flatMap(({ target }) => (WORKS_ON[type].includes(target.type) ? [target] : []));
  };
}

const textOf = ({ target: { type, value } }: ParsedTarget): string => `${type} ${value}`;

/**
 * Whether an exclusion may be within the target but cannot be cut out of it: a page, a name below it, or an address.
 */
function liesIn({ page, block, name }: ParsedTarget, { target, ...one }: ParsedTarget): boolean {
  if (page && one.page) return isUnder(one.page, page);
  if (page && block) return one.block !== undefined && !one.page && contains(one.block, block);
  if (block) return one.name !== undefined && one.block === undefined;
  if (name === undefined || one.name === undefined) return false;
  return (page !== undefined && name === one.name) || (target.type === 'domain' && name.endsWith(`.${one.name}`));
}

/** Drops addresses and ranges within another range: each address is scanned once. Blocks never overlap in part. */
function distinct(targets: readonly ParsedTarget[]): ParsedTarget[] {
  const ranges = targets.flatMap((one, n) =>
    one.target.type === 'cidr' && one.block ? [{ n, block: one.block, zone: one.target.zone }] : [],
  );
  return targets.filter(({ target: { type, zone }, block }, n) => {
    if (!block || type === 'url') return true;
    const isFirst = (other: (typeof ranges)[number]) => other.block.prefix < block.prefix || other.n < n;
    return !ranges.some((other) => other.zone === zone && contains(other.block, block) && isFirst(other));
  });
}

function partsOf(type: TaskType, { target, blocks }: RemainingTarget): ScanTarget[] {
  if (!WORKS_ON[type].includes(target.type)) return [];
  if (target.type !== 'cidr') return [target];
  const parts = blocks.flatMap((block) => split(block, type === 'network' ? NETWORK_BITS : 0));
  return parts.map((part) => ({ type: isSingle(part) ? 'host' : 'cidr', value: blockText(part), zone: target.zone }));
}

const isSingle = (block: Block): boolean => sizeOf(block) === 1n;

function excludes(exclusion: ParsedTarget, { target, block, name, page }: ParsedTarget): boolean {
  const { type, value } = exclusion.target;
  if (exclusion.page) return page !== undefined && isUnder(exclusion.page, page);
  if (exclusion.block && block) return contains(exclusion.block, block);
  if (exclusion.name !== undefined && name !== undefined)
    return name === exclusion.name || (type === 'domain' && name.endsWith(`.${exclusion.name}`));
  if (type !== target.type) return false;
  return value === target.value || (type === 'repository' && repositoryName(value) === repositoryName(target.value));
}
