import { branches } from '../entities/branch.ts';
import { branchFindings } from '../entities/branch-finding.ts';
import { findings, type StoredFinding } from '../entities/finding.ts';
import { notFound } from '../runtime/errors.ts';
import type { Table } from '../table/table.ts';
import { refName } from '../targets/repository.ts';

export type FoundFinding = { entity: typeof findings; finding: StoredFinding };

/** A finding, wherever it lies. An id stays when its finding moves from a branch to the default one. */
export async function findFinding(table: Table, id: string, consistent = true): Promise<FoundFinding | undefined> {
  // the first once more: it may have moved there between the reads
  for (const entity of [findings, branchFindings, findings]) {
    const finding = await table.find(entity, id, consistent);
    if (finding) return { entity, finding };
  }
  return undefined;
}

/** @throws not_found */
export async function getFinding(table: Table, id: string, consistent = false): Promise<FoundFinding> {
  const found = await findFinding(table, id, consistent);
  if (!found) throw notFound('finding', id);
  return found;
}

type Asked = { ref?: string; assetId?: string; engagementId?: string };

/** Most repositories that share the name of a branch, of which one may have it as its default one. */
const MAX_NAMESAKES = 200;

/** Where the findings of a list lie: those of branches beside the default one only where `ref` names such a branch. */
export async function collectionOf(table: Table, { ref, assetId, engagementId }: Asked): Promise<typeof findings> {
  if (ref === undefined || engagementId !== undefined) return findings;
  const where = { name: refName(ref), ...(assetId !== undefined && { asset: assetId }) };
  const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: MAX_NAMESAKES, where });
  return data.length > 0 && data.every(({ isDefault }) => !isDefault) ? branchFindings : findings;
}
