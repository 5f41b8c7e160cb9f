import { now } from '../clock.ts';
import type { Entity, Stored } from '../table/entity.ts';
import { isVersionConflict, type Table } from '../table/table.ts';
import { forgetCredential, removeCredential } from './credential.ts';
import type { Role } from './permissions.ts';
import { staffRemoval } from './staff.ts';

type Revocable = Stored & { status: string; revokedAt: string | null; role?: Role };

/** The record stays, for whoever asks later; its credential is gone. Repeating it changes nothing. */
export async function revoke<T extends Revocable>(table: Table, entity: Entity<T>, id: string) {
  for (;;) {
    const record = await table.get(entity, id, true);
    if (record.revokedAt !== null) return { id, deletedAt: record.revokedAt };
    const revokedAt = now();
    const where = { organizationId: table.organizationId, id };
    const batch = table.batch();
    const changes = { status: 'revoked', revokedAt } as Partial<T>;
    batch.update(entity, record, table.changed<T, never>(record, changes));
    batch.write(removeCredential(where));
    if (record.role === 'staff') batch.write(staffRemoval(id));
    try {
      await batch.commit();
    } catch (error) {
      if (isVersionConflict(error)) continue; // a link token was used in between
      throw error;
    }
    forgetCredential(table.dynamo, where);
    return { id, deletedAt: revokedAt };
  }
}
