import * as z from 'zod';
import { defineBulk } from '#shared/findings/bulk/define-bulk.ts';
import { type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Actor } from '#shared/platform/table/actor.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { decide, decidedFields, isFollowed } from './decide.ts';
import { ExposedCredential, exposedCredentials, StoredCredential } from './exposed-credential.ts';

/** The changes that one request may make to many exposed credentials. */
export const CredentialBulkChanges = z.strictObject({ status: ExposedCredential.shape.status }).partial();

/** A stored change of many exposed credentials. */
export const StoredCredentialBulk = z.object({ changes: CredentialBulkChanges, reason: z.string().optional() });
/** `by`: who decides. */
type Bulk = z.infer<typeof StoredCredentialBulk> & { by: Actor };

const Before = z.object({ decision: StoredCredential.shape.decision.nullable() });
const decisionIn = (values: Undoable['from']) => Before.parse(values).decision ?? undefined;

const credentialsAt = (table: Table, ordinals: readonly number[]): Promise<StoredCredential[]> =>
  wholeRecordsAt(table, exposedCredentials, { ordinals, consistent: true });

/** The status of a credential follows from its decision and from checks. */
export const credentialsBulk = defineBulk<StoredCredential, Bulk>({
  name: 'exposed credential',
  collection: exposedCredentials,
  read: credentialsAt,
  decide(current, { changes: { status }, reason, by }) {
    const changes = decide(current, { status, reason }, { at: now(), by });
    return changes && { changes };
  },
  apply({ table, batch }, current, { changes }) {
    const { decision } = batch.update(exposedCredentials, current, table.changed(current, changes));
    return undoable<StoredCredential>(current, { decision });
  },
  restore: (current, from) => decidedFields(current, decisionIn(from)),
});

/** The keys of those credentials whose findings followed the former decision, or follow the new one. */
export async function keysToFollow(table: Table, changed: readonly Undoable[]): Promise<string[]> {
  const some = changed.filter(({ from, to }) => [from, to].some((values) => isFollowed(decisionIn(values))));
  const current = await credentialsAt(
    table,
    some.map(({ id }) => ordinalOf(id)),
  );
  return current.map(({ key }) => key);
}
