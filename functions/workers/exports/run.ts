import { afterRules } from '#shared/exposure/asset-rules/after-rules.ts';
import { sendTask, taskRows } from '#shared/platform/jobs/task.ts';
import { endsTask, type Work } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace } from '#shared/platform/quotas/places.ts';
import { beginParts, isGone, joinParts, putPart } from '#shared/platform/runtime/bucket-parts.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { nextPart, type Part } from './part.ts';
import { LostFile, openSession, type Session, saveCheckpoint } from './session.ts';
import { sourceOf } from './source.ts';

/** A slice ends well before the function's time limit, at the end of a part; the next begins at the checkpoint. */
const SLICE_MS = 30_000;

/** One message of an export: as many parts of its file as a slice has time for. */
export async function runExport(work: Work): Promise<Record<string, unknown> | undefined> {
  try {
    const ready = await whenReady(work);
    if (!ready) return undefined;
    const session = await openSession(ready);
    const result = await writeSlice(session);
    if (!result) return continueLater(ready, session);
    await giveUpPlace(work.table, 'exports', work.task.id);
    return result;
  } catch (error) {
    if (endsTask(error)) await giveUpPlace(work.table, 'exports', work.task.id);
    if (error instanceof LostFile) return startAnew(work);
    throw error;
  }
}

/** The work, unless its records are selected after tasks of rules. */
async function whenReady(work: Work): Promise<Work | undefined> {
  const { followsRules, lacking } = sourceOf(work);
  return work.task.checkpoint || !followsRules ? work : afterRules(work, { group: work.task.id, lacking });
}

async function continueLater({ connections, table }: Work, { task }: Pick<Session, 'task'>): Promise<undefined> {
  await sendTask(connections, table, task, { deduplicationId: `${task.id}-${task.updatedAt}` });
}

/** Parts are given up by the bucket after two days, and the message of a task may come again later than that. */
async function startAnew(work: Work): Promise<undefined> {
  return continueLater(work, { task: await saveCheckpoint(work, undefined) });
}

/** @returns undefined when the slice's time is up before the file is whole */
async function writeSlice(session: Session): Promise<Record<string, unknown> | undefined> {
  const untilMs = nowMs() + SLICE_MS;
  do {
    const part = await nextPart(session, untilMs);
    if (part.isLast) return close(session, part);
    await (part.isShort ? keepRest(session, part) : keepPart(session, part));
  } while (nowMs() < untilMs);
  return undefined;
}

/** The bucket takes no small parts: their bytes wait in an object of their own. */
async function keepRest(session: Session, { body, reached }: Part): Promise<void> {
  await session.connections.bucket.put(session.files.rest, body);
  session.checkpoint = { ...reached, rest: body.length };
  session.task = await saveCheckpoint(session, session.checkpoint);
}

async function keepPart(session: Session, { body, reached }: Part): Promise<void> {
  const { connections, files, checkpoint } = session;
  const uploadId = checkpoint.uploadId ?? (await beginParts(connections.bucket, files.file));
  const to = { key: files.file, uploadId, number: checkpoint.tags.length + 1 };
  const tag = await putPart(connections.bucket, to, body).catch(asLost);
  const next = { ...reached, uploadId, tags: [...checkpoint.tags, tag], rest: undefined };
  session.task = await saveCheckpoint(session, next);
  session.checkpoint = next;
  session.rest = new Uint8Array();
}

/** Completes the file; a small one is put whole. After a crash it may be there already. */
async function close(session: Session, { body, reached }: Part): Promise<Record<string, unknown>> {
  const { connections, files, checkpoint, source } = session;
  const { uploadId, tags } = checkpoint;
  if (uploadId === undefined) await connections.bucket.put(files.file, body);
  else await joinAll(session, { uploadId, tags, body }).catch((error) => unlessThere(session, error));
  await connections.bucket.remove([files.selection, files.rest]);
  const progress = { ...session.task.progress, done: reached.next, total: reached.next };
  await session.table.rows(taskRows).set({ id: session.task.id }, { progress });
  const { findings: records, sizeBytes, place } = reached;
  return source.result({ records, reached: reached.next, sizeBytes, place });
}

type Last = { uploadId: string; tags: readonly string[]; body: Uint8Array };

async function joinAll({ connections, files }: Session, { uploadId, tags, body }: Last): Promise<void> {
  const upload = { key: files.file, uploadId };
  const tag = await putPart(connections.bucket, { ...upload, number: tags.length + 1 }, body);
  await joinParts(connections.bucket, upload, [...tags, tag]);
}

async function unlessThere({ connections, files }: Session, error: unknown): Promise<void> {
  if (isGone(error) && (await connections.bucket.size(files.file)) !== undefined) return;
  asLost(error);
}

/** Another worker that seemed dead may have put a part again: then the parts differ from the checkpoint. */
function asLost(error: unknown): never {
  const isOther = error instanceof Error && error.name === 'InvalidPart';
  throw isGone(error) || isOther ? new LostFile() : error;
}
