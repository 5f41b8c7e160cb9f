import * as z from 'zod';
import { Asset, assets, seenAt } from '#shared/assets/asset/asset.ts';
import { readOpenCounts } from '#shared/assets/asset/open-counts.ts';
import { AssetView } from '#shared/assets/asset/view.ts';
import { OpenFindings } from '#shared/code/code-scans/open-findings.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { Repository } from '#shared/code/repositories/repository.ts';
import { Id, live, objectNamed, readOnly, Timestamp } from '#shared/platform/http/records.ts';
import { readTalliesOf } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applicationOf } from './application.ts';

const {
  host: _host,
  factsAt: _factsAt,
  assetEnded: _assetEnded,
  scheduledAt: _scheduledAt,
  branchesTag: _branchesTag,
  protects: _protects,
  ...shape
} = Repository.shape;
const facts = Object.fromEntries(
  Object.entries(shape).map(([name, field]) => [name, name === 'scanPolicy' ? field : readOnly(field)]),
) as unknown as typeof shape;

/** The fields of a repository that the answer shows unchanged. */
const RepositoryFactsShown = z.object(shape);

/** The answer for a repository, with the fields of its asset. */
export const RepositoryView = objectNamed('Repository', {
  ...facts,
  criticality: Asset.shape.criticality,
  ownerId: AssetView.shape.ownerId,
  applicationId: Id.nullable().default(null).meta({
    description:
      'the first application that people linked, else an application that a rule linked; null removes the link by people',
  }),
  tags: Asset.shape.tags,
  openFindings: live(OpenFindings.meta({ description: 'of the default branch' })),
  lastScanAt: live(
    Timestamp.nullable().meta({ description: 'when a report last saw it; updated when a day or more has passed' }),
  ),
  branches: live(z.int().nonnegative()),
});
export type RepositoryView = z.infer<typeof RepositoryView>;

/** The fields of the answer that the repository's asset holds. */
export const ASSET_FIELDS = ['criticality', 'ownerId', 'tags'] as const;

/** Whether a tool reported something on the asset, or looked at it and found nothing. */
const wasScanned = ({ sources = [], looks = [] }: Asset): boolean => sources.length + looks.length > 0;

export async function repositoryViews(table: Table, some: readonly Repository[]): Promise<RepositoryView[]> {
  const assetIds = [...new Set(some.map(({ assetId }) => assetId))];
  const ids = some.map(({ id }) => id);
  const [openOn, current, counted] = await Promise.all([
    readOpenCounts(table, 'findings', assetIds),
    table.findMany(assets, assetIds),
    readTalliesOf({ dynamo: table.dynamo, tenant: table.tenant, entity: codeBranches }, 'repository', ids),
  ]);
  const byId = new Map(current.map((asset) => [asset.id, asset]));
  return some.map((repository) => {
    const asset = byId.get(repository.assetId);
    return {
      ...RepositoryFactsShown.parse(repository),
      nextScanAt: repository.nextScanAt ?? null,
      criticality: asset?.criticality ?? 'medium',
      ownerId: asset?.ownerId ?? null,
      applicationId: asset ? applicationOf(asset) : null,
      tags: asset?.tags ?? [],
      openFindings: openOn(repository.assetId),
      lastScanAt: asset && wasScanned(asset) ? seenAt(asset) : null,
      branches: counted.get(repository.id)?.n ?? 0,
    };
  });
}

export async function repositoryView(table: Table, repository: Repository): Promise<RepositoryView> {
  const [view] = await repositoryViews(table, [repository]);
  if (!view) throw new Error('a repository has one view');
  return view;
}
