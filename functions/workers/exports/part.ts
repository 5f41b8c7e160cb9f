import type { findings, StoredFinding } from '#shared/entities/finding.ts';
import type { ExportFormat, ExportInput } from '#shared/findings/export.ts';
import { findingsAt } from '#shared/findings/find.ts';
import { lastSeen } from '#shared/findings/last-seen.ts';
import { findingView } from '#shared/findings/view.ts';
import type { TaskRow } from '#shared/jobs/task.ts';
import { wholeRecordsAt } from '#shared/table/selected.ts';
import { csvFile } from './csv.ts';
import type { FindingsFile } from './file.ts';
import { jsonLinesFile } from './json-lines.ts';
import { openVexFile } from './open-vex.ts';
import { sarifFile } from './sarif.ts';
import type { Checkpoint, Session } from './session.ts';

const files: Record<ExportFormat, (input: ExportInput, task: TaskRow) => FindingsFile> = {
  csv: csvFile,
  jsonl: jsonLinesFile,
  sarif: sarifFile,
  vex: openVexFile,
};

/** The next bytes of the file, and the checkpoint behind them. */
export type Part = { body: Uint8Array; reached: Checkpoint; isLast: boolean };

/** S3 wants 5 MiB, and takes 10,000 parts: 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;

/** Findings that are read at once; the longest have 150 KB. */
const AT_ONCE = 100;

/** Reads findings until they fill a part, or none is left. */
export async function nextPart(session: Session): Promise<Part> {
  const { input, task, checkpoint, ordinals } = session;
  const file = files[input.format](input, task);
  const reached = { ...checkpoint, place: { ...checkpoint.place } };
  const parts = [Buffer.from(checkpoint.next === 0 ? file.head : '')];
  let size = 0;
  while (reached.next < ordinals.length && size < PART_BYTES) {
    const some = ordinals.slice(reached.next, reached.next + AT_ONCE);
    const read = await readFindings(session, some);
    const text = Buffer.from(read.map((finding) => file.add(reached.place, finding)).join(''));
    parts.push(text);
    size += text.length;
    reached.next += some.length;
    reached.findings += read.length;
  }
  const isLast = reached.next >= ordinals.length;
  if (isLast) parts.push(Buffer.from(file.foot(reached.place)));
  const body = Buffer.concat(parts);
  reached.sizeBytes += body.length;
  return { body, reached, isLast };
}

/** The findings as `GET /api/v1/findings/{id}` shows them; deleted ones are left out. */
async function readFindings({ table, connections }: Session, ordinals: readonly number[]) {
  const readFrom = (entity: typeof findings, some: readonly number[]) =>
    wholeRecordsAt(table, entity, { ordinals: some });
  const found = await findingsAt<StoredFinding>(ordinals, readFrom);
  const stored = ordinals.flatMap((ordinal) => found.get(ordinal)?.finding ?? []);
  const seen = await lastSeen(connections.bucket, table, stored);
  return stored.map((finding) => findingView(finding, seen.get(finding.id)));
}
