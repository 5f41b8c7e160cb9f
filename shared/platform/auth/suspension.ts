import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError } from '../runtime/errors.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { MinuteCache } from '../runtime/minute-cache.ts';
import { getRows } from '../table/io/read.ts';
import { GLOBAL_SCOPE, type Key, keysOf, type Row } from '../table/layout/keys.ts';
import { listItemOf } from '../table/layout/record.ts';

/** The collection of organizations, whose records say which are suspended (shared/credentials/organization.ts). */
export const ORGANIZATION = { name: 'organization', shards: 1 } as const;

type Suspended = { id: string; version: number; createdAt: string; updatedAt: string; suspension?: object | null };

export const organizationKey = (id: string): Key => keysOf(GLOBAL_SCOPE, ORGANIZATION).record(ordinalOf(id));

/** Whether one of the rows is the record of this organization, and says that it is suspended. */
const areSuspended = (id: string, rows: readonly Row[]): boolean =>
  rows.some(
    (row) => row.id === id && row.pk === organizationKey(id).pk && listItemOf<Suspended, never>(row).suspension,
  );

/** @throws limit_exceeded for a suspended organization: machines wait then, where a refusal would end them */
export function assertServed(organizationId: string, rows: readonly Row[]): void {
  if (areSuspended(organizationId, rows))
    throw new ApiError(
      'limit_exceeded',
      'The provider suspended your organization. Ask the provider, or try again later.',
    );
}

const known = new MinuteCache<boolean>();

/** Whether the provider suspended the organization; at most a minute old. */
export const isSuspended = (dynamo: Dynamo, organizationId: string): Promise<boolean> =>
  known.get(dynamo, organizationId, async () =>
    areSuspended(organizationId, await getRows(dynamo, [organizationKey(organizationId)], true)),
  );
