import { OrganizationSettings, settingRows } from '#shared/entities/organization-settings.ts';
import { Overtaken } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import { changeOf } from '#shared/table/changes.ts';
import { putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';

const settings = { name: 'organization-settings', told: Object.keys(OrganizationSettings.shape) };

/** Changes some settings; undefined restores the default. */
export function changeSettings(table: Table, changes: Partial<OrganizationSettings>): Promise<void> {
  return retry(async () => {
    const standing = await table.rows(settingRows).find({}, true);
    const { version = 0 } = standing ?? {};
    const row = { ...standing, ...changes, version: version + 1 };
    const id = table.organizationId;
    const before = { ...OrganizationSettings.parse(standing ?? {}), id, version };
    const change = changeOf(settings, {
      before,
      after: { ...OrganizationSettings.parse(row), id, version: row.version },
    });
    const expect = standing ? { version: standing.version } : ('absent' as const);
    const batch = table.batch();
    batch.write(putWrite(table.scope, settingRows, { row, expect, fail: () => new Overtaken() }));
    if (change) batch.tell(change);
    await batch.commit();
  });
}
