import type { KeptComparison } from '#shared/findings/gate/comparison.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { taskFiles } from './submission.ts';

/** The stored outcome of an import; undefined where it is no longer stored. */
export async function keptComparison(
  bucket: Bucket,
  { organizationId }: Table,
  taskId: string,
): Promise<KeptComparison | undefined> {
  return readJson<KeptComparison>(bucket, taskFiles(organizationId, taskId).compared);
}
