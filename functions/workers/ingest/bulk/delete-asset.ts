import * as z from 'zod';
import { findings } from '#shared/entities/finding.ts';
import { changeMany } from '#shared/findings/many/change-many.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { ordinalsOf } from '#shared/table/selected.ts';

const Input = z.object({ assetId: z.uuid() });

/** Deletes the findings of an asset that is deleted. */
export async function deleteAssetFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const { assetId } = Input.parse(work.task.input);
  const result = await changeMany(work, {
    select: () => ordinalsOf(work.table, findings, { where: { asset: assetId } }),
    decide: ({ asset }) => (asset.id === assetId ? 'delete' : undefined),
    whole: true,
  });
  return result && { deleted: result.changed };
}
