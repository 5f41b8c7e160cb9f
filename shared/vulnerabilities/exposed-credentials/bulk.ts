import * as z from 'zod';
import type { Item } from '#shared/findings/bulk/found.ts';
import { decideEach, placeOf } from '#shared/findings/bulk/records.ts';
import type { Decided, Part } from '#shared/findings/bulk/slices.ts';
import { assertAsLeft, UNDO_KEPT_DAYS, type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Actor } from '#shared/platform/table/actor.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { decide, decidedFields, isFollowed } from './decide.ts';
import { ExposedCredential, exposedCredentials, StoredCredential } from './exposed-credential.ts';

/** The changes that one request may make to many exposed credentials. */
export const CredentialBulkChanges = z.strictObject({ status: ExposedCredential.shape.status }).partial();

/** A change of many exposed credentials as its task keeps it. */
export const StoredCredentialBulk = z.object({ changes: CredentialBulkChanges, reason: z.string().optional() });
/** `by`: who decides. */
type Bulk = z.infer<typeof StoredCredentialBulk> & { by: Actor };

type ChangesOf = (current: StoredCredential) => Partial<StoredCredential> | undefined;

/** The decision on each credential that a PATCH of it alone would make. */
export const decidedOnEach = (
  table: Table,
  items: readonly Item[],
  { changes, reason, by }: Bulk,
): Promise<Decided[]> =>
  changedEach(table, items, (current) => decide(current, { status: changes.status, reason }, { at: now(), by }));

/** Many exposed credentials as a part of a task. */
export const bulkPart = (table: Table, select: Part['select'], bulk: Bulk): Part => ({
  select,
  decide: (items) => decidedOnEach(table, items, bulk),
  collections: [exposedCredentials],
  undoableDays: UNDO_KEPT_DAYS,
});

const Before = z.object({ decision: StoredCredential.shape.decision.nullable() });
const decisionIn = (values: Undoable['from']) => Before.parse(values).decision ?? undefined;

/** Gives credentials the decision back that an earlier task replaced, where nobody decided since. Their status follows from it and from checks. */
export const undoPart = (table: Table, known: ReadonlyMap<string, Undoable>): Part => ({
  select: async () => [...known.keys()],
  collections: [exposedCredentials],
  decide: (items) =>
    changedEach(table, items, (current) => {
      const undone = known.get(current.id);
      if (!undone) throw new Error(`exposed credential ${current.id} is selected, and nothing of it is to be undone`);
      assertAsLeft(current, undone);
      return decidedFields(current, decisionIn(undone.from));
    }),
});

async function changedEach(table: Table, items: readonly Item[], changesOf: ChangesOf): Promise<Decided[]> {
  return decideEach(items, {
    name: 'exposed credential',
    found: await credentialsAt(table, items),
    decide(current) {
      const changes = changesOf(current);
      return (
        changes &&
        (({ batch }) => {
          const { decision } = batch.update(exposedCredentials, current, table.changed(current, changes));
          return undoable<StoredCredential>(current, { decision });
        })
      );
    },
  });
}

const credentialsAt = (table: Table, items: readonly Item[]): Promise<StoredCredential[]> =>
  wholeRecordsAt(table, exposedCredentials, { ordinals: [...new Set(items.map(placeOf))], consistent: true });

/** The keys of those among these credentials whose findings followed the former decision, or follow the new one. */
export async function keysToFollow(table: Table, changed: readonly Undoable[]): Promise<string[]> {
  const some = changed.filter(({ from, to }) => [from, to].some((values) => isFollowed(decisionIn(values))));
  const current = await credentialsAt(
    table,
    some.map(({ id }) => id),
  );
  return current.map(({ key }) => key);
}
