import { type Branch, branches, branchPlace } from '#shared/entities/branch.ts';
import { branchFindings } from '#shared/entities/branch-finding.ts';
import { findings } from '#shared/entities/finding.ts';
import { branchDue, branchTimer } from '#shared/findings/branch-end.ts';
import type { FindingRow } from '#shared/findings/view.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { isConflict, retry } from '#shared/runtime/retry.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { putTimer } from '#shared/timers/timers.ts';
import { ensureAssets } from './assets.ts';
import type { OnBranch } from './on-branch.ts';

/**
 * The branch of a report on a repository, made when it is scanned for the first time; undefined for other targets, and
 * for engagements, whose findings belong to them. A report without a ref is of the default branch.
 */
export async function openBranch(
  table: Table,
  { target, zone = null, ref, baseRef, engagementId }: StoredSubmission,
  at: string,
): Promise<OnBranch | undefined> {
  if (target?.type !== 'repository' || engagementId !== undefined) return undefined;
  const identity = { type: target.type, value: target.value, zone };
  return retry(async () => {
    const [asset] = (await ensureAssets(table, [identity], at)).values();
    if (!asset) throw new Error(`no asset for ${target.value}`);
    const known = await table.findUnique(branches, { field: 'default', value: asset.id }, true);
    const named = await branchNamed(table, known, { assetId: asset.id, name: ref ?? known?.name ?? '', baseRef });
    const standard = named.isDefault ? named : known;
    const defaultNames = standard ? [standard.name, ...standard.formerNames] : [];
    const base = baseRef === undefined || baseRef === named.name ? undefined : baseRef;
    return { branch: named, defaultNames, base: base === undefined || defaultNames.includes(base) ? undefined : base };
  }, isConflict);
}

/** Where the findings of a report lie. */
export const entityOf = (onBranch: OnBranch | undefined): typeof findings =>
  (onBranch?.branch.isDefault ?? true) ? findings : branchFindings;

type Wanted = Pick<Branch, 'assetId' | 'name'> & { baseRef?: string };

async function branchNamed(table: Table, standard: Branch | undefined, wanted: Wanted): Promise<Branch> {
  const { name } = wanted;
  if (standard?.name === name) return standard;
  // its name was not told before
  if (standard?.name === '' && isUsual(name))
    return table.update(branches, standard, { name, isGuessed: false, formerNames: ['', ...standard.formerNames] });
  const standing = await table.findUnique(branches, { field: 'place', value: branchPlace(wanted) }, true);
  if (standing) return standing;
  const isFirst = !standard && mayBeDefault(wanted);
  if (standard?.isGuessed && isUsual(name)) return takePlace(table, standard, wanted);
  return createBranch(table, { ...wanted, isDefault: isFirst, isGuessed: isFirst && !isUsual(name), formerNames: [] });
}

type NewBranch = Pick<Branch, 'assetId' | 'name' | 'isDefault' | 'isGuessed' | 'formerNames'>;

async function createBranch(table: Table, { assetId, name, ...how }: NewBranch, also?: (batch: Batch) => void) {
  const id = (await table.reserve(branches, 1))[0] ?? '';
  const batch = table.batch();
  const { isDefault, isGuessed, formerNames } = how;
  const draft = { id, assetId, name, isDefault, isGuessed, formerNames, lastScan: null, endedAt: null };
  also?.(batch);
  const branch = batch.create(branches, table.stamp<Branch>(draft));
  batch.write(putTimer(branchTimer(table, id, branchDue(branch))));
  await batch.commit();
  return branch;
}

/** The branch that was scanned first was none of the usual ones: this one is the default one. */
const takePlace = (table: Table, before: Branch, { assetId, name }: Wanted): Promise<Branch> => {
  const formerNames = [before.name, ...before.formerNames];
  const branch = { assetId, name, isDefault: true, isGuessed: false, formerNames };
  return createBranch(table, branch, (batch) => {
    batch.update(branches, before, table.changed<Branch, never>(before, { isDefault: false, isGuessed: false }));
  });
};

/** The names that code hosts and git give to the first branch. */
const isUsual = (name: string): boolean => ['main', 'master', 'trunk'].includes(name);

/** The first branch that is scanned is taken for the default one, unless the import says otherwise. */
const mayBeDefault = ({ name, baseRef = name }: Wanted): boolean =>
  baseRef === name && !/^(pull|merge-requests|pull-requests)\//.test(name);

/** Findings of a repository that only branches have, by the fingerprint without the branch; the newest of each. */
export async function onBranches(table: Table, assetId: string): Promise<Map<string, FindingRow>> {
  const found = new Map<string, FindingRow>();
  for (let paginateFrom = 0; paginateFrom < MAX_ON_BRANCHES; paginateFrom += PAGE) {
    const page = await table.list(branchFindings, { paginateFrom, paginateSize: PAGE, where: { asset: assetId } });
    for (const row of page.data) if (row.problem !== undefined && !found.has(row.problem)) found.set(row.problem, row);
    if (page.data.length < PAGE) break;
  }
  return found;
}

const PAGE = 500;
/** Branches have only what is new on them; beyond this, merged findings are made anew. */
const MAX_ON_BRANCHES = 5_000;
