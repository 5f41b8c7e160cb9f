import { notFound } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { branches } from '../branches/branch.ts';
import { branchFindings } from '../branches/branch-finding.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { retiredFindings } from '../finding/retired-finding.ts';

export type FoundFinding = { entity: typeof findings; finding: StoredFinding };

/**
 * Where a finding may lie. Its id stays when it moves from a branch to the default one; so the first collection is read once
 * more: the finding may have moved there between the reads.
 */
const PLACES = [findings, branchFindings, retiredFindings, findings];

/** The collections in which a finding may lie; their index is worked after changes of many. */
export const FINDING_COLLECTIONS = [findings, branchFindings, retiredFindings];

/** A finding, wherever it lies. */
export async function findFinding(table: Table, id: string, consistent = true): Promise<FoundFinding | undefined> {
  for (const entity of PLACES) {
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

type ReadFrom<F> = (entity: typeof findings, ordinals: readonly number[]) => Promise<readonly F[]>;

/** The findings with these ordinals, wherever they lie, by their ordinals; all collections share one sequence of these. */
export async function findingsAt<F extends { id: string }>(
  ordinals: readonly number[],
  readFrom: ReadFrom<F>,
  places = PLACES,
): Promise<Map<number, { entity: typeof findings; finding: F }>> {
  const found = new Map<number, { entity: typeof findings; finding: F }>();
  for (const entity of places) {
    const missing = ordinals.filter((ordinal) => !found.has(ordinal));
    if (missing.length === 0) break;
    for (const finding of await readFrom(entity, missing)) found.set(ordinalOf(finding.id), { entity, finding });
  }
  return found;
}

/** Most repositories that share the name of a branch, of which one may have it as its default one. */
const MAX_NAMESAKES = 200;

/** Where selected findings lie: those of branches beside the default one only where `ref` names such a branch. */
export async function collectionOf(table: Table, { where, parent }: Selection): Promise<typeof findings> {
  if (!where?.ref || parent?.engagement) return findings;
  const named = { name: where.ref, ...(where.asset && { asset: where.asset }) };
  const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: MAX_NAMESAKES, where: named });
  return data.length > 0 && data.every(({ isDefault }) => !isDefault) ? branchFindings : findings;
}
