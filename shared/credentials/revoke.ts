import { forgetCredential, removeCredential } from '../auth/credential.ts';
import { isStaffRole, type Role } from '../auth/permissions.ts';
import { linkTokens } from '../entities/link-token.ts';
import { givePlace } from '../quotas/places.ts';
import type { PlaceKind } from '../quotas/quotas.ts';
import { now } from '../runtime/clock.ts';
import { retry } from '../runtime/retry.ts';
import type { Entity, Stored } from '../table/entity.ts';
import type { Table } from '../table/table.ts';
import { removeFeed } from './calendar-feed.ts';
import { staffRemoval } from './staff.ts';

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
    if (record.role && isStaffRole(record.role)) batch.write(staffRemoval(id));
    await batch.commit();
    forgetCredential(table.dynamo, where);
    return { id, deletedAt: revokedAt };
  });
}
