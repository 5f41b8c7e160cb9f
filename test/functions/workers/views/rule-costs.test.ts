import { afterAll, afterEach, expect, test } from 'vitest';
import { applicationRuleHandlers } from '#functions/application-rules/handlers.ts';
import { applicationHandlers } from '#functions/applications/handlers.ts';
import { assetHandlers } from '#functions/assets/handlers.ts';
import { assetRuleFollower } from '#shared/asset-rules/follow.ts';
import { assets } from '#shared/entities/asset.ts';
import { applicationsOf } from '#shared/entities/asset-link.ts';
import { setClock } from '#shared/runtime/clock.ts';
import type { Table } from '#shared/table/table.ts';
import { keepViews } from '#shared/views/follow.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { startWorld } from '../ingest/world.ts';

const world = await startWorld();
const meter = attachMeter(world.connections.dynamo);
afterAll(() => world.stop());
afterEach(() => setClock());

const caller = { id: 'ann', name: 'Ann', kind: 'service_account', role: 'admin' };

async function ask(table: Table, handler: unknown, params: object, body: object): Promise<{ id: string }> {
  const call = { table, connections: world.connections, caller, params, body, query: {} };
  return (handler as (call: object) => Promise<{ id: string }>)(call);
}

/** Lets the changes of assets rest, and has them followed. */
async function follow(table: Table): Promise<void> {
  const [start, began] = [Date.now(), performance.now()];
  setClock(() => Math.floor(start + (performance.now() - began) * 1000));
  await world.drain();
  await keepViews(table, [], () => false, assetRuleFollower({ connections: world.connections, table }));
}

test('a change of an asset costs the same beside one rule and beside twenty that it does not meet', async () => {
  const table = world.newOrganization();
  const named = { name: 'Shop', description: null, criticality: 'high', ownerId: null, memberIds: [], tags: [] };
  const application = { ...named, internetExposed: null, dataClassification: null };
  const { id } = await ask(table, applicationHandlers.createApplication, {}, application);
  const host = { type: 'host', value: 'web-1', zone: null, tags: [], criticality: 'medium', internetExposed: null };
  const asset = await ask(table, assetHandlers.createAsset, {}, host);
  const rule = (value: string) => {
    const condition = { field: 'hostname', operator: 'matches', value };
    const body = { name: value, enabled: true, environmentId: null, condition };
    return ask(table, applicationRuleHandlers.createAssetRule, { id }, body);
  };
  const change = async (tag: string) => {
    await ask(table, assetHandlers.updateAsset, { id: asset.id }, { tags: [tag] });
    await follow(table);
  };
  await rule('web-*');
  await follow(table);
  await change('a');
  const [one] = await table.findMany(assets, [asset.id], true);
  expect(one && applicationsOf(one)).toEqual([id]);
  const beside = await meter.measure(() => change('b'));
  for (let n = 0; n < 19; n++) await rule(`other-${n}-*`);
  await follow(table);
  await change('c');
  const besideTwenty = await meter.measure(() => change('d'));
  expect(besideTwenty.writeUnits).toBeLessThanOrEqual(beside.writeUnits + 1);
  expect(besideTwenty.readUnits).toBeLessThanOrEqual(beside.readUnits + 2);
});
