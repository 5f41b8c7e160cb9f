import type * as z from 'zod';
import { OrganizationSettings, settingRows } from '#shared/credentials/organization-settings.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import { OrganizationLimits } from '#shared/platform/quotas/quotas.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { changeOf } from '#shared/platform/table/changes.ts';
import { putWrite, type RowKind } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A row of an organization with its differences from the defaults; the change feed reports its changes. */
type Stored = { rows: RowKind<{ version?: number }, object>; schema: z.ZodObject; unreported?: readonly string[] };

const SETTINGS: Stored = { rows: settingRows, schema: OrganizationSettings };
const LIMITS: Stored = { rows: limitRows, schema: OrganizationLimits };

export const changeSettings = (table: Table, patch: object): Promise<void> => changeStored(table, SETTINGS, patch);
export const changeLimits = (table: Table, patch: object): Promise<void> => changeStored(table, LIMITS, patch);

/** Makes a merge patch: null restores the default. `unreported` fields are too long for the change feed, which names them. */
export async function changeStored(
  table: Table,
  { rows, schema, unreported = [] }: Stored,
  patch: object,
): Promise<void> {
  const changes = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, value ?? undefined]));
  if (Object.keys(changes).length === 0) return;
  const entity = {
    name: rows.name,
    feedFields: Object.keys(schema.shape).filter((name) => !unreported.includes(name)),
  };
  const id = table.organizationId;
  await retry(async () => {
    const current = await table.rows(rows).find({}, true);
    const { version = 0 } = current ?? {};
    const row = { ...current, ...changes, version: version + 1 };
    const entry = changeOf(entity, {
      before: { ...schema.parse(current ?? {}), id, version },
      after: { ...schema.parse(row), id, version: row.version },
    });
    const expect = current ? { version: current.version } : ('absent' as const);
    const batch = table.batch();
    batch.write(putWrite(table.tenant, rows, { row, expect, fail: () => new Overtaken() }));
    if (entry) batch.announce(entry);
    await batch.commit();
  });
}
