import { forgetCredential, removeCredential } from '#shared/platform/auth/credential.ts';
import { isStaffRole } from '#shared/platform/auth/permissions.ts';
import { givePlace } from '#shared/platform/quotas/places.ts';
import type { PlaceKind } from '#shared/platform/quotas/quotas.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { removeFeed } from './calendar-feed.ts';
import { linkTokens } from './link-token.ts';
import { staffRemoval } from './staff.ts';

export type Revocable = Stored & { status: string; revokedAt: string | null; role?: string };

/** The places that a credential holds, by its entity. */
const PLACES: Record<string, PlaceKind> = { 'link-token': 'link-tokens', 'service-account': 'service-accounts' };

/** Removes the credential and keeps its record as `revoked`. Repeating the call changes nothing. */
export async function revoke<T extends Revocable>(table: Table, entity: Entity<T>, id: string) {
  return retry(async () => {
    const record = await table.get(entity, id, true);
    if (record.revokedAt !== null) return { id, deletedAt: record.revokedAt };
    const revokedAt = now();
    const where = { organizationId: table.organizationId, id };
    const batch = table.batch();
    const changes = { status: 'revoked', revokedAt } as Partial<T>;
    batch.update(entity, record, table.changed<T, never>(record, changes));
    batch.write(removeCredential(where));
    if (entity.name !== linkTokens.name) batch.write(removeFeed(table.tenant, id));
    const place = PLACES[entity.name];
    if (place) batch.write(givePlace(table.tenant, place, id));
    if (record.role && isStaffRole(record.role)) batch.write(staffRemoval(id));
    await batch.commit();
    forgetCredential(table.dynamo, where);
    return { id, deletedAt: revokedAt };
  });
}
