import { afterAll, expect, test } from 'vitest';
import { assetHandlers } from '#functions/assets/assets/handlers.ts';
import { applicationRuleHandlers } from '#functions/exposure/application-rules/handlers.ts';
import { applicationHandlers } from '#functions/exposure/applications/handlers.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const meter = attachMeter(world.connections.dynamo);
afterAll(() => world.stop());

const caller = { id: 'ann', name: 'Ann', kind: 'service_account', role: 'admin' };

async function ask(table: Table, handler: unknown, params: object, body: object): Promise<{ id: string }> {
  const call = { table, connections: world.connections, caller, params, body, query: {} };
  return (handler as (call: object) => Promise<{ id: string }>)(call);
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
  // what the reader of the change feed does with a changed asset, each time with a table of its own
  const settle = () => {
    const own = openTable(world.connections.dynamo, table.organizationId, systemActor);
    return settleAssets({ connections: world.connections, table: own }, [ordinalOf(asset.id)]);
  };
  await rule('web-*');
  await settle();
  const [one] = await table.findMany(assets, [asset.id], true);
  expect(one && applicationsOf(one)).toEqual([id]);
  const beside = await meter.measure(settle);
  for (let n = 0; n < 19; n++) await rule(`other-${n}-*`);
  await settle();
  const besideTwenty = await meter.measure(settle);
  expect(besideTwenty).toEqual(beside);
  expect(beside.writeUnits).toBe(0);
});
