import * as z from 'zod';
import { readFacts } from '#shared/advisories/facts.ts';
import { vulnerabilities } from '#shared/entities/vulnerability.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { elapsedMs } from '#shared/runtime/clock.ts';
import { ordinalsOf } from '#shared/table/selected.ts';
import { renew } from '#shared/views/renew.ts';
import { vulnerabilityView } from '#shared/vulnerabilities/view.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

const Input = z.object({ moved: z.string() });
/** The vulnerabilities before this ordinal are left. */
const Checkpoint = z.object({ before: z.number().default(Number.MAX_SAFE_INTEGER), slice: z.int().default(0) });

const STEP = 240;
const ASKED_AT_ONCE = 100;
/** Of more advisories than this, reading every vulnerability costs less than asking for those of each. */
const MOST_ASKED = 5000;

/** Rates the vulnerabilities anew whose advisories moved in a feed. */
export async function rescoreVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const { moved } = Input.parse(work.task.input);
  const { before, slice } = Checkpoint.parse(work.task.checkpoint ?? {});
  const all = await select(work, moved);
  const view = vulnerabilityView(await readFacts(work.connections));
  const left = all.filter((ordinal) => ordinal < before);
  for (const part of chunksOf(left, STEP)) {
    await renew(work.table, view, part);
    const isOver = elapsedMs() > end;
    const last = part.at(-1) ?? before;
    const at = { before: last, slice: slice + Number(isOver) };
    const done = all.indexOf(last) + 1;
    await keep(work, { checkpoint: at, progress: { done, total: all.length, unit: 'vulnerabilities' } });
    if (isOver) return continueLater(work, at.slice);
  }
  return { seen: all.length };
}

async function select({ connections, table }: Work, file: string): Promise<number[]> {
  const bytes = await connections.bucket.get(file);
  if (!bytes) throw new Error(`the list ${file} of vulnerabilities that moved is gone`);
  const moved: string[] = JSON.parse(Buffer.from(bytes).toString());
  const selections =
    moved.length > MOST_ASKED ? [{}] : chunksOf(moved, ASKED_AT_ONCE).map((cve) => ({ where: { advisory: cve } }));
  const found = new Set<number>();
  for (const selection of selections)
    for (const ordinal of await ordinalsOf(table, vulnerabilities, selection)) found.add(ordinal);
  return [...found].sort((a, b) => b - a);
}
