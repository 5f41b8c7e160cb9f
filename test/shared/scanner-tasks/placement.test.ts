import { expect, test } from 'vitest';
import { scannerGroups } from '#shared/entities/scanner-group.ts';
import { newId } from '#shared/runtime/ids.ts';
import { assertPlacement } from '#shared/scanner-tasks/placement.ts';
import { scannerGroupDraft } from '#test/support/scanning.ts';
import { newOrganization, useStore } from '#test/support/store.ts';

const store = useStore();

const wanted = (more: object) =>
  ({ targets: [], taskTypes: ['network'], scannerGroupId: null, publicScannerGroupId: null, ...more }) as never;

test.each([
  ['scannerGroupId', 'must be the id of a scanner group of your organization'],
  ['publicScannerGroupId', 'must be the id of a shared pool that you may use'],
])('an engagement for a %s that nobody knows is refused by name', async (field, message) => {
  const table = newOrganization(store.dynamo);
  await expect(assertPlacement(table, wanted({ [field]: newId() }))).rejects.toMatchObject({
    code: 'validation_failed',
    details: [{ path: field, message }],
  });
});

test('an engagement goes to a group of its own or to a shared pool, and not to both', async () => {
  const table = newOrganization(store.dynamo);
  const { id: scannerGroupId } = await table.create(scannerGroups, scannerGroupDraft());
  await expect(assertPlacement(table, wanted({ scannerGroupId }))).resolves.toBeUndefined();
  const both = assertPlacement(table, wanted({ scannerGroupId, publicScannerGroupId: newId() }));
  await expect(both).rejects.toMatchObject({ details: [{ path: 'publicScannerGroupId' }] });
  const foreign = newOrganization(store.dynamo);
  await expect(assertPlacement(foreign, wanted({ scannerGroupId }))).rejects.toMatchObject({
    details: [{ path: 'scannerGroupId' }],
  });
});
