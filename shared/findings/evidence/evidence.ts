import * as z from 'zod';
import { Actor, Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import type { StoredFinding } from '../finding/finding.ts';

/** The most files of one finding: a person looks through them. */
export const MAX_FILES = 20;

/** A file that shows a problem, kept as long as its finding. */
export const FindingEvidence = objectNamed('FindingEvidence', {
  id: Id,
  findingId: Id,
  name: z.string(),
  kind: z.enum(['http', 'command', 'screenshot', 'text']),
  note: z.string().nullable(),
  mediaType: z.string().meta({
    description:
      'from the ending of the name: HTML, SVG and XML are `text/plain`, and unknown endings are `application/octet-stream`',
  }),
  sizeBytes: z.int().positive(),
  sha256: z.string(),
  createdAt: Timestamp,
  createdBy: Actor,
});
export type FindingEvidence = z.infer<typeof FindingEvidence>;

export const evidenceRows = defineRow<FindingEvidence, Pick<FindingEvidence, 'findingId' | 'id'>>({
  name: 'finding-evidence',
  about: 'a file that somebody put to a finding',
  key: ({ findingId, id }) => [findingId, id],
});

/** The bucket removes uploads, but not the objects below this prefix. */
export const evidenceKey = ({ organizationId }: Table, { findingId, id }: Pick<FindingEvidence, 'findingId' | 'id'>) =>
  `evidence/${organizationId}/${findingId}/${id}`;

/** For the transaction that deletes a finding: the sweeper removes its files. */
export const evidenceEnds = ({ organizationId }: Table, finding: Shown): Write[] =>
  placesOf(finding).map((id) => putTimer({ kind: 'evidence', organizationId, id, at: nowMs() }));
export type Shown = Pick<StoredFinding, 'id' | 'evidenceFiles' | 'mergedFrom'>;

/** The files that a finding shows, newest first: its own, and files of findings that were merged into it. */
export async function evidenceOn(table: Table, finding: Shown): Promise<FindingEvidence[]> {
  const read = placesOf(finding).map((id) => table.rows(evidenceRows).query(id, { consistent: true }));
  return (await Promise.all(read)).flat().sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** The findings under whose ids the files are stored. */
const placesOf = ({ id, evidenceFiles = 0, mergedFrom = [] }: Shown): string[] =>
  [{ id, evidenceFiles }, ...mergedFrom].flatMap((one) => (one.evidenceFiles > 0 ? one.id : []));

/** Removes a file. The object goes first, so that nothing is left when the row is gone. */
export async function removeEvidence(bucket: Bucket, table: Table, files: readonly FindingEvidence[]): Promise<void> {
  await bucket.remove(files.map((file) => evidenceKey(table, file)));
  await Promise.all(files.map((file) => table.rows(evidenceRows).remove(file)));
}
