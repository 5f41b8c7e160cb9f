import { copyObject } from '#shared/platform/runtime/bucket-parts.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { findUpload, useWrites } from '#shared/platform/uploads/upload.ts';

/** A file that an appliance sent for a task: evidence of a finding, or an artifact. It is kept as long as the task. */
type ApexFile = {
  taskId: string;
  /** The id of the upload. */
  id: string;
  name: string | null;
  /** Bytes. */
  size: number;
  /** SHA-256, base64. */
  checksum: string;
  key: string;
  keptAt: string;
};

export const apexFiles = defineRow<ApexFile, Pick<ApexFile, 'taskId' | 'id'>>({
  name: 'apex-file',
  about: 'a file that an appliance sent with a task: evidence or an artifact',
  key: ({ taskId, id }) => [taskId, id],
});

/** The bucket removes uploads, but not the objects below this prefix. */
const keyOf = ({ organizationId }: Table, taskId: string, id: string): string =>
  `apex-files/${organizationId}/${taskId}/${id}`;

/** The path at which people read the file. */
export const filePath = (taskId: string, id: string): string =>
  `/api/v1/validation-operations/apex/tasks/${taskId}/files/${id}`;

/** `table` is the appliance's organization, in which it uploads; `owner` is the task's organization. */
type FileTransfer = { connections: Pick<Connections, 'bucket'>; table: Table; owner: Table };

/**
 * Takes an upload of the caller for a task, of up to 64 MiB: such uploads are put whole, and the storage has checked
 * their SHA-256. Harmless to repeat, also after the upload was removed.
 * @throws not_found, conflict, upload_incomplete, payload_too_large
 */
async function keepFile(between: FileTransfer, taskId: string, id: string): Promise<void> {
  const { owner } = between;
  const isKept = async () => (await owner.rows(apexFiles).find({ taskId, id }, true)) !== undefined;
  if (await isKept()) return;
  try {
    await takeUpload(between, taskId, id);
  } catch (error) {
    // the same request was sent twice at once, and the other one has taken the upload
    if (!(await isKept())) throw error;
  }
}

async function takeUpload(
  { connections: { bucket }, table, owner }: FileTransfer,
  taskId: string,
  id: string,
): Promise<void> {
  const upload = await findUpload(bucket, table, { id, taskId });
  const { name = null, size, checksum } = upload;
  if (size > PART_BYTES) throw new ApiError('payload_too_large', `The upload ${id} is over 64 MiB.`);
  const key = keyOf(owner, taskId, id);
  await copyObject(bucket, upload.key, key);
  await owner.write(
    putWrite(owner.tenant, apexFiles, { row: { taskId, id, name, size, checksum, key, keptAt: now() } }),
    ...useWrites(table, upload, taskId),
  );
  await bucket.remove([upload.key]);
}

/** Files that are copied or removed at the same time. */
const AT_ONCE = 8;

/** Stores several files. @returns the errors of refused files, by id */
export async function keepFiles(
  between: FileTransfer,
  taskId: string,
  ids: readonly string[],
): Promise<Map<string, ApiError>> {
  const refused = new Map<string, ApiError>();
  const wanted = [...new Set(ids)];
  const keep = async (id: string) => {
    try {
      await keepFile(between, taskId, id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.set(id, error);
    }
  };
  await eachAtOnce(wanted, AT_ONCE, keep);
  return refused;
}

/** Removes all files of a task. */
export async function removeFiles(
  { bucket }: Pick<Connections, 'bucket'>,
  table: Table,
  taskId: string,
): Promise<void> {
  const files = await table.rows(apexFiles).query(taskId);
  for (const some of chunksOf(files, AT_ONCE)) {
    await bucket.remove(some.map(({ key }) => key));
    await Promise.all(some.map((file) => table.rows(apexFiles).remove(file)));
  }
}
