import { beforeEach, describe, expect, test } from 'vitest';
import { NOT_PUBLIC_PROBLEM } from '#shared/assets/targets/public.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { assertPlacement, placementOf } from '#shared/scanning/scanner-tasks/placement.ts';
import { openPools, type Pool, poolRows } from '#shared/scanning/scanner-tasks/pools.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { putPool, scannerGroupDraft } from '../../../support/scanning.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

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

const host = (value: string, zone: string | null = null): ScanTarget => ({ type: 'host', value, zone });
const PUBLIC = host('192.0.2.1');
const NEAR = host('10.0.0.7');

describe('the tasks of a run', () => {
  const chosen = (more: object) => ({ scannerGroupId: null, publicScannerGroupId: null, targets: [PUBLIC], ...more });
  const network = (target: ScanTarget) => ({ type: 'network' as const, target });

  test('go each to the group that serves its target, else to any scanner', async () => {
    const table = newOrganization(store.dynamo);
    await table.create(scannerGroups, scannerGroupDraft({ name: 'Without routes' }));
    const { id } = await table.create(scannerGroups, scannerGroupDraft({ routing: ['10.0.0.0/8'] }));
    const placeOf = await placementOf(table, chosen({ targets: [NEAR, PUBLIC] }));
    expect([NEAR, PUBLIC].map((target) => placeOf(network(target)))).toEqual([
      { scannerGroupId: id },
      { scannerGroupId: null },
    ]);
  });

  test('go all to the group of the engagement, and nowhere once it was removed', async () => {
    const table = newOrganization(store.dynamo);
    const { id: scannerGroupId } = await table.create(scannerGroups, scannerGroupDraft());
    await table.create(scannerGroups, scannerGroupDraft({ name: 'Near', routing: ['10.0.0.0/8'] }));
    const placeOf = await placementOf(table, chosen({ scannerGroupId }));
    expect(placeOf(network(NEAR))).toEqual({ scannerGroupId });
    const gone = newId();
    await expect(placementOf(table, chosen({ scannerGroupId: gone }))).rejects.toMatchObject({
      code: 'conflict',
      message: `The scanner group ${gone} was removed. Name another group, or none.`,
    });
  });

  describe('in a pool', () => {
    let publicScannerGroupId: string;
    beforeEach(() => {
      publicScannerGroupId = newId();
    });
    const providerId = newId();
    const change = (more: Partial<Pool>) =>
      putPool(store.dynamo, { poolId: publicScannerGroupId, providerId, ...more });
    const placing = (targets: ScanTarget[], options?: { hasBegun: boolean }) =>
      placementOf(newOrganization(store.dynamo), chosen({ publicScannerGroupId, targets }), options);

    test('go to it and its provider, also while it is closed for a time', async () => {
      await change({ enabled: false });
      const place = { scannerGroupId: null, publicScannerGroupId, providerId };
      expect((await placing([PUBLIC]))(network(PUBLIC))).toEqual(place);
    });

    test('that was closed to the organization are finished, and none of a new run begin', async () => {
      await change({ visibility: 'selected', organizationIds: [newId()] });
      expect((await placing([PUBLIC], { hasBegun: true }))(network(PUBLIC))).toMatchObject({ publicScannerGroupId });
      for (const options of [undefined, { hasBegun: false }])
        await expect(placing([PUBLIC], options)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`Frankfurt (${publicScannerGroupId}) is no longer open`),
        });
    });

    test('look only at public targets; targets of a run in progress are judged one by one', async () => {
      await change({});
      const message = `The target 10.0.0.7 ${NOT_PUBLIC_PROBLEM}.`;
      await expect(placing([PUBLIC, NEAR])).rejects.toMatchObject({ code: 'conflict', message });
      expect((await placing([PUBLIC, NEAR], { hasBegun: true }))(network(NEAR))).toMatchObject({
        publicScannerGroupId,
      });
    });

    test('that was removed go nowhere, whether or not the run has begun', async () => {
      await change({});
      await openPools(store.dynamo).rows(poolRows).remove({ poolId: publicScannerGroupId });
      for (const hasBegun of [false, true])
        await expect(placing([PUBLIC], { hasBegun })).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`The shared pool ${publicScannerGroupId} was removed.`),
        });
    });
  });
});

test.each<[string, object, string | undefined, Partial<Pool>?]>([
  ['public targets', {}, undefined],
  ['nothing wrong but that it is for others', {}, 'publicScannerGroupId', { visibility: 'selected' }],
  ['a target in a zone', { targets: [host('192.0.2.1', 'dmz')] }, 'targets.0.zone'],
  ['a later target in a zone', { targets: [PUBLIC, host('192.0.2.2', 'dmz')] }, 'targets.1.zone'],
  ['a private target', { targets: [NEAR] }, 'targets.0.value'],
  ['a later private target', { targets: [PUBLIC, NEAR] }, 'targets.1.value'],
  ['the types of the pool', { taskTypes: ['web'] }, undefined, { taskTypes: ['network', 'web'] }],
  ['another type than those of the pool', { taskTypes: ['tls'] }, 'taskTypes.0', { taskTypes: ['network', 'web'] }],
  ['a later type that the pool lacks', { taskTypes: ['web', 'tls'] }, 'taskTypes.1', { taskTypes: ['web'] }],
])('an engagement in a pool with %s is accepted, or refused where it is wrong', async (_, more, path, pool = {}) => {
  const table = newOrganization(store.dynamo);
  const publicScannerGroupId = newId();
  await putPool(store.dynamo, { poolId: publicScannerGroupId, providerId: newId(), ...pool });
  const asserted = assertPlacement(table, wanted({ publicScannerGroupId, targets: [PUBLIC], ...more }));
  if (path === undefined) await expect(asserted).resolves.toBeUndefined();
  else await expect(asserted).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
});
