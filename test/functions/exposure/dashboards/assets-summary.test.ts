import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assetsSummary } from '#functions/exposure/dashboards/assets-summary.ts';
import { type Asset, assets, CRITICALITIES, seenAt } from '#shared/assets/asset/asset.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { bare } from '../../../support/bare.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();

const fields = fc.record({
  type: fc.constantFrom(...AssetType.options),
  criticality: fc.constantFrom(...CRITICALITIES),
  internetExposed: fc.constantFrom(true, false, null),
  ownerId: fc.constantFrom('somebody', null),
  lastSeenAt: fc.constantFrom(0, 1, 6, 7, 8, 29, 30, 31, 32, 70, 400).map((days) => inSeconds(-days * 86_400)),
  retiredAt: fc.constantFrom(undefined, undefined, undefined, '2026-01-05T08:00:00.000Z'),
});

const daysOld = (asset: Asset): number =>
  (Date.parse(now().slice(0, 10)) - Date.parse(seenAt(asset).slice(0, 10))) / 86_400_000;

const countWhere = (all: readonly Asset[], fits: (asset: Asset) => boolean): number => all.filter(fits).length;
const per = <V extends string>(values: readonly V[], all: readonly Asset[], of: (asset: Asset) => string) =>
  Object.fromEntries(values.map((value) => [value, countWhere(all, (asset) => of(asset) === value)]));

/** The same numbers, counted from the records. */
function recount(records: readonly Asset[]) {
  const all = records.filter(({ retiredAt }) => !retiredAt);
  return {
    total: all.length,
    byType: per(AssetType.options, all, ({ type }) => type),
    byCriticality: per(CRITICALITIES, all, ({ criticality }) => criticality),
    internetExposed: countWhere(all, ({ internetExposed }) => internetExposed === true),
    seen7d: countWhere(all, (asset) => daysOld(asset) < 7),
    stale30d: countWhere(all, (asset) => daysOld(asset) > 30),
    unowned: countWhere(all, ({ ownerId }) => ownerId == null),
    withoutApplication: all.length,
  };
}

test('the dashboard of assets shows what a recount gives, whatever was made, changed, retired and deleted', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create' as const), fields }),
    fc.record({ kind: fc.constant('change' as const), fields, n: fc.nat(20) }),
    fc.record({ kind: fc.constant('delete' as const), n: fc.nat(20) }),
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
    const table = newOrganization(store.dynamo);
    const current: Asset[] = [];
    for (const [place, one] of steps.entries()) {
      const n = 'n' in one ? one.n % Math.max(1, current.length) : 0;
      const asset = current[n];
      if (one.kind === 'create') {
        const names = {
          value: `host-${place}`,
          name: 'x',
          zone: null,
          tags: [],
          firstSeenAt: inSeconds(-500 * 86_400),
        };
        current.push(await table.create(assets, { ...names, ...one.fields } satisfies Draft<Asset>));
      } else if (asset && one.kind === 'change') current[n] = await table.update(assets, asset, one.fields);
      else if (asset) {
        await table.delete(assets, asset);
        current.splice(n, 1);
      }
    }
    const { asOf: _asOf, ...summary } = await assetsSummary(table);
    expect(bare(summary)).toEqual(recount(current));
    await expectExact(table, [assets]);
  });
  await fc.assert(property, { numRuns: runs(3, 15) });
});
