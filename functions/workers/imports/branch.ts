import { type Asset, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { isShortFor, repositoryName } from '#shared/assets/targets/repository.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { type Branch, branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { ScanState } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { type StoredSubmission, scopeOf } from '#shared/ingest/submission.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type OnBranch, otherNames, type PlannedBranch } from './on-branch.ts';

/** Which branch a report on a repository is of, before it is made; undefined where a scan has none (`repositoryOf`). */
export async function readBranch(table: Table, submission: StoredSubmission): Promise<OnBranch | undefined> {
  const identity = repositoryOf(submission);
  if (!identity) return undefined;
  const asset = await table.findUnique(assets, { field: 'identity', value: assetKey(identity) }, true);
  const { standard: _standard, ...on } = await branchOn(table, submission, asset?.id);
  return { ...on, spellings: asset ? spellingsOf(asset) : [] };
}

/** How the same repository was spelled before it had one name, or its code host was connected. */
const spellingsOf = ({ value, aliases = [] }: Asset): string[] =>
  aliases.flatMap((alias) =>
    repositoryName(alias.value) === value || isShortFor(alias.value, value) ? alias.value : [],
  );

/**
 * The repository whose branches a scan is of. A scan of another target has none, and the findings of an engagement belong
 * to it.
 */
export function repositoryOf({ target, zone = null, engagementId }: StoredSubmission) {
  if (target?.type !== 'repository' || engagementId !== undefined) return undefined;
  return { type: target.type, value: target.value, zone };
}

/** A report without a ref is of the default branch. */
export async function branchOn(
  table: Table,
  { ref, baseRef }: StoredSubmission,
  assetId: string | undefined,
): Promise<Omit<OnBranch, 'spellings'> & { standard: Branch | undefined }> {
  const unique = (field: string, value: string) => table.findUnique(branches, { field, value }, true);
  const standard = assetId === undefined ? undefined : await unique('default', assetId);
  const onHost = standard?.isGuessed === false ? undefined : await defaultOnHost(table, assetId);
  const name = ref ?? onHost ?? standard?.name ?? '';
  const isKnown = assetId === undefined || name === standard?.name;
  const current = isKnown ? undefined : await unique('place', branchPlace({ assetId, name }));
  const branch = planned({ name, baseRef, onHost }, standard, current);
  const first = branch.isDefault ? branch : standard;
  const defaultNames = first ? [first.name, ...first.formerNames] : [];
  const isOther = baseRef !== undefined && baseRef !== name && !defaultNames.includes(baseRef);
  const isMade = branch === standard || branch === current;
  return { branch, isMade, standard, defaultNames, base: isOther ? baseRef : undefined };
}

/** The default branch as the connected code host of a repository names it. */
async function defaultOnHost(table: Table, assetId: string | undefined): Promise<string | undefined> {
  if (assetId === undefined) return undefined;
  const { data } = await table.list(repositories, { paginateFrom: 0, paginateSize: 1, where: { asset: assetId } });
  return data[0]?.defaultBranch ?? undefined;
}

/** The collection that has the findings of a report. */
export const entityOf = (onBranch: OnBranch | undefined): typeof findings =>
  (onBranch?.branch.isDefault ?? true) ? findings : branchFindings;

type Wanted = Pick<Branch, 'name'> & { baseRef?: string | undefined; onHost?: string | undefined };

function planned(wanted: Wanted, standard: Branch | undefined, current: Branch | undefined): PlannedBranch {
  const { name } = wanted;
  if (standard?.name === name) return standard;
  const formerNames = standard ? [standard.name, ...standard.formerNames] : [];
  const claim = claimOf(wanted);
  const isGuessed = claim !== 'sure';
  // its name was not known before
  if (standard?.name === '' && (claim === 'sure' || claim === 'stated'))
    return { ...standard, name, isGuessed, formerNames };
  if (current) return standard || claim === 'none' ? current : { ...current, isDefault: true, isGuessed };
  // the branch that was scanned first was none of the usual ones: this one takes its place
  if (standard?.isGuessed && claim === 'sure') return { name, isDefault: true, isGuessed, formerNames };
  const isFirst = !standard && claim !== 'none';
  return { name, isDefault: isFirst, isGuessed: isFirst && isGuessed, formerNames: [] };
}

/** The names that code hosts and git give to the first branch. */
const USUAL: readonly string[] = ['main', 'master', 'trunk'];

/** Other names of branches into which others are merged. */
const LIKELY: readonly string[] = [
  'develop',
  'development',
  'dev',
  'production',
  'prod',
  'default',
  'mainline',
  'stable',
];

/**
 * How far a report shows that its branch is the default one. A report on a pull request may name its source branch and no base, so
 * another name shows nothing, unless the report names the branch as its own base.
 */
export function claimOf({ name, baseRef, onHost }: Wanted): 'sure' | 'stated' | 'likely' | 'none' {
  if (/^(pull|merge-requests|pull-requests)\//.test(name) || (baseRef ?? name) !== name) return 'none';
  if (onHost !== undefined) return name === onHost ? 'sure' : 'none';
  if (USUAL.includes(name)) return 'sure';
  if (name === '' || baseRef === name) return 'stated';
  return LIKELY.includes(name) ? 'likely' : 'none';
}

/** The states that the same scan of the default branch left under each other name of it, and of its repository. */
export function statesOnDefault(
  { table, connections }: Pick<Work, 'table' | 'connections'>,
  submission: StoredSubmission,
  onBranch: OnBranch | undefined,
): Promise<ScanState[]> {
  const { target, format } = submission;
  if (!target || !onBranch) return Promise.resolve([]);
  const { spellings = [], branch } = onBranch;
  const others = otherNames(onBranch);
  const names = branch.isDefault ? [branch.name, ...others] : others;
  const scans = [
    ...others.map((ref) => ({ ref })),
    ...spellings.flatMap((value) => names.map((ref) => ({ ref: ref || undefined, target: { ...target, value } }))),
  ];
  return Promise.all(
    scans.map((scan) => readScopeState(connections.bucket, table, scopeOf({ ...submission, ...scan }, format))),
  );
}

/**
 * Findings that only branches have and that a report on the default branch may bring over, by the fingerprint without the
 * branch; the newest of each.
 */
export async function findingsToMerge(table: Table, onBranch: OnBranch | undefined): Promise<Map<string, FindingRow>> {
  const found = new Map<string, FindingRow>();
  const { assetId, isDefault } = onBranch?.branch ?? {};
  if (!isDefault || assetId === undefined) return found;
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
