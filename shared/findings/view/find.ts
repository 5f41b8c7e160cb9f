import { taskRows } from '#shared/platform/jobs/task.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { valuesAsked } from '#shared/platform/table/match.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { branches } from '../branches/branch.ts';
import { branchFindings } from '../branches/branch-finding.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { retiredFindings } from '../finding/retired-finding.ts';
import { PREVIEW } from './previewed.ts';

export type FoundFinding = { entity: typeof findings; finding: StoredFinding };

/**
 * The collections in which a finding may be. Its id stays when it moves from a branch to the default one; so the first
 * collection is read again: the finding may have moved there between the reads.
 */
const PLACES = [findings, branchFindings, retiredFindings, findings];

/** The collections in which a finding may be; their index is updated after changes of many findings. */
export const FINDING_COLLECTIONS = [findings, branchFindings, retiredFindings];

/** A finding in any of its collections. */
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

/**
 * The findings with these ordinals in any collection, by their ordinals; all collections share one sequence of
 * ordinals.
 */
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

/** The most repositories with a branch of the same name, which may be the default branch of one of them. */
const MAX_NAMESAKES = 200;

/**
 * The collection of selected findings: branches other than the default one only where `ref` names such a branch or the preview of its
 * end is asked for, findings of retired assets only where the preview of a return is.
 */
export async function collectionOf(table: Table, { where, parent, matching }: Selection): Promise<typeof findings> {
  const [previewId] = matching ? valuesAsked(matching, PREVIEW) : [];
  const task = previewId ? await table.rows(taskRows).find({ id: previewId }) : undefined;
  if (task?.input.of === 'return_assets') return retiredFindings;
  if (task?.input.of === 'end_branch') return branchFindings;
  if (!where?.ref || parent?.engagement) return findings;
  const named = { name: where.ref, ...(where.asset && { asset: where.asset }) };
  const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: MAX_NAMESAKES, where: named });
  return data.length > 0 && data.every(({ isDefault }) => !isDefault) ? branchFindings : findings;
}
