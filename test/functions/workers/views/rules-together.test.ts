import { afterAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { assetTagRules, type StoredTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { removeRule, saveRule } from '#shared/exposure/asset-rules/save.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const meter = attachMeter(world.connections.dynamo);
afterAll(() => world.stop());

const [ASSETS, RULES] = [60, 10];
const page = { paginateFrom: 0, paginateSize: ASSETS };

const findings = Array.from({ length: ASSETS }, (_, n) => ({
  title: 'Old software',
  severity: 'low',
  ruleId: 'old',
  asset: { type: 'host', value: `app-${n % RULES}-${n}.example.test` },
}));

test('rules that are made one after the other read each asset twice at most, and every asset follows its own', async () => {
  const table = world.newOrganization();
  const content = JSON.stringify({ tool: 'our-audit', findings });
  await world.ingest(table, codeScan(content, { format: 'generic', ref: undefined }));
  await world.drain();
  const place = { connections: world.connections, table };
  const made: StoredTagRule[] = [];
  for (let n = 0; n < RULES; n++) {
    const condition = { field: 'hostname' as const, operator: 'matches' as const, value: `app-${n}-*` };
    const [id = ''] = await table.reserve(assetTagRules, 1);
    const rule = { id, name: `rule ${n}`, condition, tags: [`of-${n}`], enabled: true, taskId: id };
    made.push(await saveRule(place, assetTagRules, { after: table.stamp<StoredTagRule>(rule) }));
  }
  expect(new Set(made.map(({ taskId }) => taskId)).size).toBeLessThanOrEqual(2);
  const { readUnits } = await meter.measure(() => world.drain());
  const tagged = async () =>
    (await table.list(assets, page)).data.map(({ value, ruleTags = [] }) => [value, ...ruleTags]);
  expect(await tagged()).toHaveLength(ASSETS);
  for (const [value = '', ...tags] of await tagged()) expect(tags).toEqual([`of-${value.split('-')[1]}`]);
  // the assets twice, and a little for each rule
  expect(readUnits).toBeLessThan(2 * ASSETS + 15 * RULES);
  for (const rule of (await table.list(assetTagRules, page)).data)
    if (rule.name !== 'rule 0') await removeRule(place, assetTagRules, rule);
  await world.drain();
  for (const [value = '', ...tags] of await tagged()) expect(tags).toEqual(value.startsWith('app-0-') ? ['of-0'] : []);
});
