import { forgetCredential, removeCredential } from '#shared/auth/credential.ts';
import type { Role } from '#shared/auth/permissions.ts';
import { removeFeed } from '#shared/credentials/calendar-feed.ts';
import { staffRemoval } from '#shared/credentials/staff.ts';
import { linkTokens } from '#shared/entities/link-token.ts';
import { givePlace } from '#shared/quotas/places.ts';
import type { PlaceKind } from '#shared/quotas/quotas.ts';
import { now } from '#shared/runtime/clock.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Entity, Stored } from '#shared/table/entity.ts';
import type { Table } from '#shared/table/table.ts';

export type Revocable = Stored & { status: string; revokedAt: string | null; role?: Role };

/** The places that a standing credential holds, by its entity. */
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
    if (entity.name !== linkTokens.name) batch.write(removeFeed(table.scope, id));
    const place = PLACES[entity.name];
    if (place) batch.write(givePlace(table.scope, place, id));
    if (record.role === 'staff') batch.write(staffRemoval(id));
    await batch.commit();
    forgetCredential(table.dynamo, where);
    return { id, deletedAt: revokedAt };
  });
}
