import { groupOf } from '#shared/findings/bulk/queue.ts';
import { sendTask } from '#shared/platform/jobs/task.ts';
import { othersHold } from '#shared/platform/quotas/places.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Manifest } from './manifest.ts';
import type { Accepted, Applied, LookedUp, Read } from './phases.ts';
import { saveCheckpoint } from './progress.ts';

/** The part of an import that one message works. `phase` and `step` are the current ones. */
export type Slice = {
  startedMs: number;
  step: string;
  phase: Accepted & { manifest?: Manifest };
  isOver: () => Promise<boolean>;
};

/** Takes a phase to the next, from where a former slice stopped; undefined once the time of the slice is up. */
type Step<A, B> = (phase: A, slice: Slice) => Promise<B | undefined>;

type Recipe<A, B> = { run: Step<A, B>; step: <C extends Accepted>(name: string, next: Step<B, C>) => Recipe<A, C> };

/** The steps of an import, each of which takes the result of the step before. */
export const recipe = (): Recipe<Accepted, Accepted> => after(async (accepted) => accepted);

const after = <B extends Accepted>(run: Step<Accepted, B>): Recipe<Accepted, B> => ({
  run,
  step: (name, next) =>
    after(async (accepted, slice) => {
      const phase = await run(accepted, slice);
      if (!phase) return undefined;
      Object.assign(slice, { step: name, phase });
      return next(phase, slice);
    }),
});

/**
 * After this the worker lets the organization's other imports go first, and goes on with a message of its own: a CI job's
 * small report waits for one slice of each large one before it.
 */
const SLICE_MS = 3_000;

/** The same while no other import waits, because a slice takes a third of a second to begin. Bulk changes wait for so long at most. */
const LONE_SLICE_MS = 12_000;

export function startSlice(phase: Accepted): Slice {
  const startedMs = nowMs();
  const isOver = async () => {
    const worked = nowMs() - startedMs;
    if (worked <= SLICE_MS || worked > LONE_SLICE_MS) return worked > SLICE_MS;
    return othersHold(phase.table, { kind: 'imports', id: phase.taskId });
  };
  return { startedMs, step: 'open', phase, isOver };
}

/** Works a recipe until its end or that of the slice; then a message of its own continues it. */
export async function workSlice({ run }: Recipe<Accepted, Accepted>, slice: Slice): Promise<void> {
  if (await run(slice.phase, slice)) return;
  const { table, connections, progress } = slice.phase;
  const next = progress.checkpoint.slice + 1;
  await saveCheckpoint(slice.phase, { ...progress.checkpoint, slice: next });
  await sendTask(connections, table, progress.task, {
    group: groupOf(table),
    deduplicationId: `${progress.task.id}-${next}`,
  });
}

type LookUp = (read: Read, chunk: number, consistent: boolean) => Promise<LookedUp>;

/** Applies the chunks of a report that are left. While one is applied, the next one is looked up and the former one is brought into the index. */
export const chunkByChunk =
  (lookUp: LookUp, apply: (read: Read, chunk: LookedUp) => Promise<void>): Step<Read, Applied> =>
  async (read, slice) => {
    const { progress, manifest } = read;
    const index = indexBehind(read);
    if (progress.checkpoint.slice > 0) await index.follow(); // with the last chunk of the slice before
    const first = progress.checkpoint.chunk; // each message applies a chunk, however long the reading took
    const end = Math.max(1, manifest.chunks);
    let ahead: Promise<LookedUp> | undefined;
    for (let chunk = first; chunk < end; chunk++) {
      const isBegun = progress.checkpoint.line > 0; // then some of its findings were just written
      const current = await (ahead ?? lookUp(read, chunk, isBegun));
      const isOver = await slice.isOver();
      ahead = isOver || chunk + 1 === end ? undefined : lookUp(read, chunk + 1, false);
      ahead?.catch(() => undefined); // the round that waits for it gets the error
      await apply(read, current);
      if (isOver && chunk + 1 < end) return index.settled().then(() => undefined);
      await index.follow();
    }
    // also after a crash that left a chunk applied and not yet findable
    await index.end();
    return { ...read, openBefore: progress.checkpoint.openBefore };
  };

/** Brings a chunk into the index while the next one is applied, also in the next slice: search follows the records by two chunks at most. */
function indexBehind({ table, entity }: Read) {
  let last: Promise<void> = Promise.resolve();
  return {
    async follow(): Promise<void> {
      await last;
      last = table.workJournal(entity);
      last.catch(() => undefined); // the caller that waits for it next gets the error
    },
    settled: () => last,
    async end(): Promise<void> {
      await last;
      await table.workJournal(entity);
    },
  };
}

/** So many batches may wait for their commit: the index takes the table for as long as several commits. */
const AHEAD = 1;

/** Commits batches one after the other, while the next are made. After a failure none follows. */
export function commitsBehind<T extends unknown[]>(commit: (...batch: T) => Promise<void>) {
  const waiting: Promise<void>[] = [];
  let last: Promise<void> = Promise.resolve();
  return {
    async add(...batch: T): Promise<void> {
      last = last.then(() => commit(...batch));
      last.catch(() => undefined); // the caller that waits for it later gets the error
      if (waiting.push(last) > AHEAD) await waiting.shift();
    },
    end: () => last,
  };
}
