import { groupOf } from '#shared/findings/bulk/queue.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse } from '#shared/platform/jobs/task.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { findUpload, useWrites } from '#shared/platform/uploads/upload.ts';
import type { DetectionPack } from './routes.ts';

/**
 * Takes an upload of the caller as a pack of rules. Up to 64 MiB an upload is put whole, so that the storage has checked its SHA-256.
 * @throws not_found, conflict, upload_incomplete, payload_too_large
 */
export async function queuePack(
  { connections, table }: Context,
  { uploadId, enabled }: DetectionPack,
): Promise<QueuedResponse> {
  const id = newId();
  const upload = await findUpload(connections.bucket, table, { id: uploadId, taskId: id });
  if (upload.size > PART_BYTES) throw new ApiError('payload_too_large', `The upload ${upload.id} is over 64 MiB.`);
  const task = newTask(table.actor, {
    id,
    operation: 'import_detection_rules',
    job: 'ingest',
    unit: 'rules',
    input: { key: upload.key, name: upload.name ?? 'pack', enabled },
  });
  const send = { group: groupOf(table) };
  return queueNewTask({ connections, table }, { task, send }, (batch) => batch.write(...useWrites(table, upload, id)));
}
