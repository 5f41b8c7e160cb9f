import * as z from 'zod';
import { organizations } from '#shared/credentials/organization.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { isCopiedObject, readManifest } from '#shared/platform/table/upkeep/copies.ts';
import { CopyRead, readOn } from './read-copy.ts';
import { Removal, removeAll } from './remove-all.ts';
import { PutBack, type Restored, steps, treatForRestore } from './restore-steps.ts';
import { continueAtTime, continueLater, removalProgress, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid(), copyId: z.uuid() });

const Checkpoint = z.object({
  slice: z.int().default(0),
  read: CopyRead.prefault({}),
  removal: Removal.prefault({}),
  /** Undefined while rows and objects are removed. */
  put: PutBack.optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * Restores an organization to the content of a copy: reads the copy to its end, suspends the organization's
 * credentials, removes everything else until a pass finds nothing, writes the rows and objects of the copy, and reads
 * the table again. It opens the organization only if the table has the content of the copy. After a crash it continues.
 */
export async function restoreOrganization(work: Work): Promise<Record<string, unknown> | undefined> {
  const { task, connections } = work;
  const place = Input.parse(task.input);
  const manifest = await readManifest(connections.bucket, place);
  if (!manifest) throw new TaskFailure('copy_missing', 'The copy is not whole, or has expired: take another one.');
  const restored = { work, place, manifest };
  const isOver = sliceEnd();
  let at = Checkpoint.parse(task.checkpoint ?? {});
  for (;;) {
    if (isOver()) return continueLater(work, reached({ ...at, slice: at.slice + 1 }));
    if (!at.read.isWhole) {
      at = { ...at, read: await readOn(restored, at.read) };
      continue;
    }
    if (!at.put) {
      const from = at.removal;
      const { isDone, quietAt, ...next } = await removeAll(work, rulesOf(restored), { from, isOver });
      at = { ...at, removal: next.at, ...(isDone && { put: PutBack.parse({}) }) };
      if (quietAt)
        return continueAtTime(work, reached({ ...at, slice: at.slice + 1 }), {
          at: quietAt,
          group: place.organizationId,
        });
      continue;
    }
    const { step } = at.put;
    if (step === 'done') return finish(restored, at);
    const put = await steps[step](restored, at.put);
    at = put ? { ...at, put } : again(at);
  }
}

const reached = (checkpoint: Checkpoint) => {
  const { rows = 0, objects = 0 } = checkpoint.put ?? {};
  return { checkpoint, progress: removalProgress({ rows, objects }) };
};

const rulesOf = ({ work, place: { organizationId } }: Restored) => ({
  treat: treatForRestore(work.connections.dynamo, organizationId),
  isTheirs: (key: string) => isCopiedObject(organizationId, key),
});

/** Somebody's late write made the table differ from the copy: all is removed and written again. */
const again = ({ removal, ...at }: Checkpoint): Checkpoint => ({
  ...at,
  put: undefined,
  removal: { ...removal, part: 'rows', object: undefined, found: 0 },
});

/** The organization's own tasks settle what no copy can hold: the messages of its tasks, and counters of a copy taken while it worked. */
async function finish({ work, place, manifest }: Restored, at: Checkpoint): Promise<Record<string, unknown>> {
  const { connections } = work;
  const { organizationId } = place;
  const all = openTable(connections.dynamo, GLOBAL_SCOPE);
  if (!(await all.find(organizations, organizationId, true)))
    await all.create(organizations, { id: organizationId, name: manifest.name });
  const table = openTable(connections.dynamo, organizationId, work.table.actor);
  await queueMany({ connections, table }, { operation: 'maintenance_restored', unit: 'records', input: {} });
  await queueTask(
    { connections, table },
    {
      operation: 'maintenance_verify',
      job: 'maintenance',
      unit: 'collections',
      input: { work: 'verify', repair: true },
      send: { group: organizationId },
    },
  );
  const { rows = 0, objects = 0, taken = {}, secrets } = at.put ?? {};
  return { rows, objects, passes: at.removal.pass, digest: manifest.digest, taken, secrets };
}
