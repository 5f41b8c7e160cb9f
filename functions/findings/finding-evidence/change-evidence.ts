import { evidenceKey, evidenceRows, type FindingEvidence, MAX_FILES } from '#shared/findings/evidence/evidence.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { copyObject } from '#shared/platform/runtime/bucket-parts.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { findUpload, type Upload, useWrites } from '#shared/platform/uploads/upload.ts';
import { mediaTypeOf } from './media-types.ts';
import { type EvidenceCreate, FileName } from './routes.ts';

type Place = { connections: Pick<Connections, 'bucket'>; table: Table };

/**
 * Takes an upload of the caller for a finding. Up to 64 MiB an upload is put whole, so that the storage has checked its SHA-256.
 * @throws not_found, conflict, upload_incomplete, payload_too_large, validation_failed
 */
export async function addEvidence(place: Place, findingId: string, body: EvidenceCreate): Promise<FindingEvidence> {
  await getFinding(place.table, findingId);
  const findCurrent = () => place.table.rows(evidenceRows).find({ findingId, id: body.uploadId }, true);
  const current = await findCurrent();
  if (current) return current;
  try {
    return await takeUpload(place, findingId, body);
  } catch (error) {
    // the same request was sent twice at once, and the other one has taken the upload
    const taken = await findCurrent();
    if (taken) return taken;
    throw error;
  }
}

async function takeUpload(
  { connections, table }: Place,
  findingId: string,
  body: EvidenceCreate,
): Promise<FindingEvidence> {
  const upload = await findUpload(connections.bucket, table, { id: body.uploadId, taskId: findingId });
  if (upload.size > PART_BYTES) throw new ApiError('payload_too_large', `The upload ${upload.id} is over 64 MiB.`);
  const file = evidenceFrom(table, upload, { ...body, findingId });
  await copyObject(connections.bucket, upload.key, evidenceKey(table, file));
  const added = putWrite(table.tenant, evidenceRows, { row: file, expect: 'absent' });
  await recount(table, findingId, { by: 1, writes: [added, ...useWrites(table, upload, findingId)] });
  await connections.bucket.remove([upload.key]);
  return file;
}

function evidenceFrom(
  table: Table,
  { id, size, checksum, name: sent = '' }: Upload,
  { findingId, name, kind, note }: EvidenceCreate & { findingId: string },
): FindingEvidence {
  const named = FileName.safeParse(name ?? sent);
  if (!named.success) throw invalid('name', 'must be the name of the file: the name of the upload cannot be used');
  const about = { name: named.data, kind, note, mediaType: mediaTypeOf(named.data) };
  const sha256 = Buffer.from(checksum, 'base64').toString('hex');
  return { id, findingId, ...about, sizeBytes: size, sha256, createdAt: now(), createdBy: table.actor };
}

/** Deletes a file of a finding. The object goes first, so that nothing is left when the row is gone. */
export async function deleteEvidence(
  { connections, table }: Place,
  shownBy: string,
  file: FindingEvidence,
): Promise<Deletion> {
  await connections.bucket.remove([evidenceKey(table, file)]);
  const { id } = file;
  const condition = { ConditionExpression: 'attribute_exists(pk)' };
  const gone = { remove: rowKey(table.tenant, evidenceRows, file), condition, fail: () => notFound('evidence', id) };
  await recount(table, shownBy, { by: -1, writes: [gone], of: file.findingId });
  return { id, deletedAt: now() };
}

type Recount = { by: 1 | -1; writes: Write[]; of?: string };

/**
 * The finding counts its files in the transaction that adds or removes one, so that no file stays uncounted. `of`: a
 * finding that was merged into this one and may come back; it counts its own files too.
 */
const recount = (table: Table, findingId: string, { by, writes, of = findingId }: Recount): Promise<void> =>
  retry(async () => {
    const { entity, finding } = await getFinding(table, findingId, true);
    const own = (finding.evidenceFiles ?? 0) + by;
    if (by > 0 && own > MAX_FILES) throw fixedLimit('A finding', MAX_FILES, 'files');
    const batch = table.batch();
    const changes = of === findingId ? { evidenceFiles: own } : mergedCount(finding, { of, by });
    changeFinding({ table, batch, entity }, finding, { changes, at: now() });
    const merged = of === findingId ? undefined : await table.find(mergedFindings, of, true);
    const evidenceFiles = (merged?.evidenceFiles ?? 0) + by;
    if (merged) batch.update(mergedFindings, merged, table.changed<StoredFinding, never>(merged, { evidenceFiles }));
    batch.write(...writes);
    await batch.commit();
  });

const mergedCount = ({ mergedFrom = [] }: StoredFinding, { of, by }: { of: string; by: number }) => ({
  mergedFrom: mergedFrom.map((one) => (one.id === of ? { id: of, evidenceFiles: one.evidenceFiles + by } : one)),
});
