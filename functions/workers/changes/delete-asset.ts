import * as z from 'zod';
import { branches } from '#shared/findings/branches/branch.ts';
import { queueEnd } from '#shared/findings/bulk/branch-end.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

const Input = z.object({ assetId: z.uuid() });

/** A preview counts the findings of branches, too, which the task of each branch deletes. */
const ofAll = async ({ table, preview }: Work, where: { asset: string }): Promise<number[]> => {
  const places = preview ? FINDING_COLLECTIONS : [findings, retiredFindings];
  return (await Promise.all(places.map((entity) => ordinalsOf(table, entity, { where })))).flat();
};

const MAX_BRANCHES = 1000;

/** Deletes the findings of a deleted asset, and its branches with the findings that no other branch has. */
export async function deleteAssetFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const { assetId } = Input.parse(work.task.input);
  const result = await changeMany(work, {
    select: () => ofAll(work, { asset: assetId }),
    decide: ({ asset }) => (asset.id === assetId ? 'delete' : undefined),
    whole: true,
  });
  if (!result) return undefined;
  // each ends with a task of its own, which removes what only the branch has
  const known = await work.table.list(branches, {
    paginateFrom: 0,
    paginateSize: MAX_BRANCHES,
    where: { asset: assetId },
  });
  for (const { id } of known.data) await queueEnd(work, { branchId: id, isRemoved: true });
  return { deleted: result.changed };
}
