import * as z from 'zod';
import { returnAsset } from '#shared/exposure/asset-actions/return-asset.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Input = z.object({ assetIds: z.array(z.uuid()), retiredAt: z.string().optional() });

/** Returns retired assets that an agent saw, or whose repository is in use again. */
export async function returnAssets(work: Work): Promise<Record<string, unknown>> {
  let returned = 0;
  const { assetIds, retiredAt } = Input.parse(work.task.input);
  for (const id of assetIds) returned += await returnAsset(work, id, retiredAt);
  return { returned };
}
