import { expect, test } from 'vitest';
import { assetsInScope } from '#functions/apex/apex-intel/assets.ts';
import { findingsInScope } from '#functions/apex/apex-intel/findings.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

/** `n` hosts with a finding each, in 10.0.0.0/16 and its neighbours. */
async function hosts(dynamo: Dynamo, n: number): Promise<Table> {
  const table = openTable(dynamo, newOrganization(dynamo).organizationId);
  for (let at = 0; at < n; at++) {
    const value = `10.${Math.floor(at / 250)}.0.${at % 250}`;
    const place = { type: 'host' as const, value, name: value, zone: null };
    const time = '2026-01-01T00:00:00.000Z';
    const asset = await table.create(assets, {
      ...place,
      criticality: 'medium',
      internetExposed: null,
      tags: [],
      firstSeenAt: time,
    });
    await table.create(findings, findingDraft(time, { asset: { id: asset.id, ...place } }));
  }
  return table;
}

const host = (value: string) => ({ type: 'host' as const, value, zone: null });
const five = { targets: [1, 2, 3, 4, 5].map((n) => host(`10.0.0.${n}`)), exclusions: [] };

test('the findings of five hosts cost the same in an organization of 50 hosts and of 300', async () => {
  const units: number[] = [];
  for (const n of [50, 300]) {
    const dynamo = store.connect();
    const table = await hosts(dynamo, n);
    const meter = attachMeter(dynamo);
    const { readUnits } = await meter.measure(async () => {
      expect((await findingsInScope(table, five)).items).toHaveLength(5);
    });
    units.push(readUnits);
  }
  expect(units[0]).toBeLessThanOrEqual(20);
  expect(units[1]).toBe(units[0]);
});

test('a scope beyond the limit is marked as cut and reads no more than the limit', async () => {
  const dynamo = store.connect();
  const table = await hosts(dynamo, 300);
  const wide = { targets: [{ type: 'cidr' as const, value: '10.0.0.0/8', zone: null }], exclusions: [] };
  const found = await assetsInScope(table, wide);
  expect([found.items.length, found.isTruncated]).toEqual([200, true]);
  const narrow = await assetsInScope(table, { ...wide, targets: [{ ...host('10.1.0.0/16'), type: 'cidr' }] });
  expect([narrow.items.length, narrow.isTruncated]).toEqual([50, false]);
});
