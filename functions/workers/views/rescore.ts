import * as z from 'zod';
import { movedOrdinals } from '#shared/advisories/moved.ts';
import { findings } from '#shared/entities/finding.ts';
import { vulnerabilities } from '#shared/entities/vulnerability.ts';
import { taskFolder } from '#shared/jobs/task-files.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { elapsedMs } from '#shared/runtime/clock.ts';
import { recordsAt } from '#shared/table/selected.ts';
import { refresh } from '#shared/views/refresh.ts';
import { renew } from '#shared/views/renew.ts';
import type { View } from '#shared/views/view.ts';
import { findingsNaming } from '#shared/vulnerabilities/followers.ts';
import { openVulnerabilityView } from './list.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

const Input = z.object({ moved: z.string() });
/** The vulnerabilities before this ordinal are left. */
const Checkpoint = z.object({
  before: z.number().default(Number.MAX_SAFE_INTEGER),
  slice: z.int().default(0),
  changed: z.int().default(0),
});

const STEP = 240;

/** Rates the vulnerabilities anew whose advisories moved in a feed. */
export async function rescoreVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const { moved } = Input.parse(work.task.input);
  const { before, slice, ...counted } = Checkpoint.parse(work.task.checkpoint ?? {});
  const all = await selectionOf(work, moved);
  const view = await openVulnerabilityView(work.connections);
  const left = all.filter((ordinal) => ordinal < before);
  let { changed } = counted;
  for (const part of chunksOf(left, STEP)) {
    await rename(work, view, part);
    changed += await renew(work.table, view, part);
    const isOver = elapsedMs() > end;
    const last = part.at(-1) ?? before;
    const at = { before: last, slice: slice + Number(isOver), changed };
    const done = all.indexOf(last) + 1;
    await keep(work, { checkpoint: at, progress: { done, total: all.length, unit: 'vulnerabilities' } });
    if (isOver) return continueLater(work, at.slice);
  }
  return { seen: all.length, changed };
}

/** The ordinals that the first slice found: a question for each advisory that moved is not asked again in the next. */
async function selectionOf(work: Work, moved: string): Promise<number[]> {
  const { table, task, connections } = work;
  const file = `${taskFolder(table.organizationId, task.id)}/moved`;
  const kept = task.checkpoint && (await connections.bucket.get(file));
  if (kept) return JSON.parse(Buffer.from(kept).toString());
  const found = await movedOrdinals(work, vulnerabilities, { file: moved, name: 'advisory' });
  await connections.bucket.put(file, JSON.stringify(found));
  return found;
}

/** An advisory may be known under another name since: findings that name it by a rule contribute to that one then. */
async function rename({ table }: Work, view: View, ordinals: readonly number[]): Promise<void> {
  const found = await recordsAt(table, vulnerabilities, ordinals);
  const named = await findingsNaming(
    table,
    found.filter(({ ruleIds }) => ruleIds !== undefined),
  );
  if (named.length === 0) return;
  const records = await recordsAt(table, findings, named);
  await refresh(table, [view], { entity: findings.name, ids: records.map(({ id }) => id) });
}
