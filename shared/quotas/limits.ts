import type { Dynamo } from '../runtime/dynamo.ts';
import { givenFields } from '../runtime/given.ts';
import { Minute } from '../runtime/minute.ts';
import { defineRow } from '../table/io/row.ts';
import { openTable, type Table } from '../table/table.ts';
import { OrganizationLimits } from './quotas.ts';

/** Only the limits that differ from their defaults are stored, so that a later default reaches the others. */
type StoredLimits = Partial<OrganizationLimits> & { version?: number };

export const limitRows = defineRow<StoredLimits, object>({
  name: 'organization-limits',
  about: "an organization's limits, as far as staff set them",
  key: () => ['all'],
});

/** The limits that staff set. */
export const changedLimits = async (table: Table): Promise<Partial<OrganizationLimits>> =>
  givenFields(OrganizationLimits, (await table.rows(limitRows).find({})) ?? {});

export const readLimits = async (table: Table): Promise<OrganizationLimits> =>
  OrganizationLimits.parse(await changedLimits(table));

const known = new Minute<OrganizationLimits>();

/** The limits, at most a minute old. */
export const knownLimits = (dynamo: Dynamo, organizationId: string): Promise<OrganizationLimits> =>
  known.get(dynamo, organizationId, () => readLimits(openTable(dynamo, organizationId)));
