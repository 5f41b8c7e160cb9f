import * as z from 'zod';
import { readOpenCounts } from '#shared/assets/asset/open-counts.ts';
import { OpenFindings } from '#shared/code/code-scans/open-findings.ts';
import { CodeBranch } from '#shared/code/repositories/code-branch.ts';
import type { Repository } from '#shared/code/repositories/repository.ts';
import { type Branch, branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { live, objectNamed, readOnly } from '#shared/platform/http/records.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';

const { formerCommit: _formerCommit, factsAt: _factsAt, ...shape } = CodeBranch.shape;

/** The answer for a branch, with the results of its scans. */
export const BranchView = objectNamed('RepositoryBranch', {
  ...shape,
  isDefault: live(z.boolean()),
  lastScan: live(
    readOnly(
      z
        .object({ taskId: z.string(), commit: z.string().nullable(), at: z.string() })
        .nullable()
        .meta({ description: 'the last import of the branch' }),
    ),
  ),
  openFindings: live(
    OpenFindings.nullable().meta({
      description: 'findings that the default branch lacks; null in lists for branches other than the default branch',
    }),
  ),
});
export type BranchView = z.infer<typeof BranchView>;

/** Branches of a repository that were scanned and are not ended; so many names are looked up for a page. */
const MAX_SCANNED = 500;

export async function branchViews(
  table: Table,
  repository: Repository,
  some: readonly CodeBranch[],
): Promise<BranchView[]> {
  const { assetId } = repository;
  const [openOn, scanned] = await Promise.all([
    readOpenCounts(table, 'findings', [assetId]),
    table.list(branches, { paginateFrom: 0, paginateSize: MAX_SCANNED, where: { asset: assetId } }),
  ]);
  const byName = new Map(scanned.data.map((branch) => [branch.name, branch]));
  return some.map((branch) => {
    const isDefault = branch.name === repository.defaultBranch;
    return viewOf(branch, { isDefault, scanned: byName.get(branch.name), open: isDefault ? openOn(assetId) : null });
  });
}

type Scanned = { isDefault: boolean; scanned: Branch | undefined; open: BranchView['openFindings'] };

const viewOf = (
  { formerCommit: _formerCommit, factsAt: _factsAt, ...branch }: CodeBranch,
  { isDefault, scanned, open }: Scanned,
): BranchView => ({
  ...branch,
  policyScan: branch.policyScan ?? null,
  forkPullRequest: branch.forkPullRequest ?? null,
  isDefault,
  lastScan: scanned?.lastScan ?? null,
  openFindings: open,
});

/** One branch, with its own open findings counted. */
export async function branchView(table: Table, repository: Repository, branch: CodeBranch): Promise<BranchView> {
  const { assetId } = repository;
  const isDefault = branch.name === repository.defaultBranch;
  const [scanned, open] = await Promise.all([
    table.findUnique(branches, { field: 'place', value: branchPlace({ assetId, name: branch.name }) }),
    isDefault
      ? readOpenCounts(table, 'findings', [assetId]).then((on) => on(assetId))
      : openOnBranch(table, assetId, branch.name),
  ]);
  return viewOf(branch, { isDefault, scanned, open });
}

async function openOnBranch(table: Table, assetId: string, ref: string): Promise<BranchView['openFindings']> {
  const counted = Severity.options.map(async (severity) => {
    const where = { asset: assetId, ref, severity, status: [...OPEN_STATUSES] };
    const { totalCount } = await table.list(branchFindings, { paginateFrom: 0, paginateSize: 1, where });
    return [severity, totalCount] as const;
  });
  return Object.fromEntries(await Promise.all(counted)) as NonNullable<BranchView['openFindings']>;
}
