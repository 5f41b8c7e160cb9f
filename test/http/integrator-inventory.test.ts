import { expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

async function integrator() {
  const organization = await system.newOrganization();
  const machine = await organization.machine('integrator', { name: 'cmdb-bridge' });
  let batches = 0;
  const send = async (body: { assets: unknown[]; [field: string]: unknown }) => {
    batches += 1;
    const answer = await machine.client.ok('sendInventory', {
      body: { batchId: `b-${batches}`, source: 'cmdb', ...body },
    });
    if (answer.taskId) expect(await finished(organization.admin, answer.taskId)).toMatchObject({ status: 'succeeded' });
    return answer;
  };
  return { ...organization, machine, send };
}

async function byValue(table: Table): Promise<Record<string, Asset>> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 500 });
  const whole = await Promise.all(data.map(({ id }) => table.get(assets, id, true)));
  return Object.fromEntries(whole.map((asset) => [asset.value, asset]));
}

const web = (name: string, more: object = {}) => ({
  type: 'host',
  value: name,
  services: [{ port: 443, service: 'https' }],
  software: [{ name: 'nginx', version: '1.28.0' }],
  ...more,
});

test("the assets of a batch have the fleet's facts, and a refused asset does not affect the others", async () => {
  const { send, table, admin } = await integrator();
  const cloud = { provider: 'aws', accountId: '000000000001', region: 'eu-west-1', tags: { team: 'shop' } };
  const answer = await send({
    assets: [
      web('WEB-1', {
        name: 'Shop',
        identifiers: { ips: ['10.0.0.7'] },
        os: { name: 'Debian GNU/Linux', version: '13' },
      }),
      { type: 'spaceship', value: 'x' },
      { type: 'cloud_resource', value: 'arn:aws:s3:::files', cloud, internetExposed: true, ignored: 1 },
    ],
    ignored: true,
  });
  expect(answer.results).toEqual([
    { index: 0, accepted: true },
    { index: 1, accepted: false, code: 'validation_failed', message: expect.stringContaining('type') },
    { index: 2, accepted: true },
  ]);
  const found = await byValue(table);
  expect(found['web-1']).toMatchObject({
    name: 'Shop',
    identifiers: { ips: ['10.0.0.7'], macs: [] },
    os: { family: 'linux', name: 'Debian GNU/Linux', version: '13' },
    services: [{ port: 443, protocol: 'tcp', service: 'https' }],
    software: { count: 1 },
    inventory: [{ source: 'integrator/cmdb', services: 1, software: 1 }],
    sources: ['inventory'],
  });
  expect(found['arn:aws:s3:::files']).toMatchObject({ type: 'cloud_resource', cloud, internetExposed: true });
  const [shown] = (await admin.ok('listAssets', { query: { type: ['cloud_resource'] } })).data;
  expect(shown?.cloud?.tags).toEqual({ team: 'shop' });
  await expectExact(table, [assets]);
});

test('a batch that is sent again, and one that says the same, change nothing', async () => {
  const { send, table } = await integrator();
  const first = await send({ batchId: 'same', assets: [web('web-1')] });
  const before = await byValue(table);
  const again = await send({ batchId: 'same', assets: [web('web-1')] });
  expect(again).toEqual(first);
  const other = await send({ assets: [web('web-1')] });
  expect(other.taskId).not.toBe(first.taskId);
  expect(await byValue(table)).toEqual(before);
});

test('after a full inventory the source says nothing of assets that it does not name, and after a partial one it does', async () => {
  const { send, table } = await integrator();
  const first = await send({ assets: [web('web-1'), web('web-2'), web('web-3')] });
  await send({ assets: [web('web-1')] });
  expect((await byValue(table))['web-2']?.services).toHaveLength(1);
  await send({ mode: 'full', assets: [web('web-1'), { type: 'host' }] });
  expect((await byValue(table))['web-2']?.services).toHaveLength(1);
  await send({ mode: 'full', since: first.acceptedAt, assets: [web('web-1')] });
  expect((await byValue(table))['web-2']?.services).toHaveLength(1);
  await send({ mode: 'full', assets: [web('web-1'), web('web-2')] });
  const found = await byValue(table);
  expect(found['web-2']?.services).toHaveLength(1);
  expect(found['web-3']).toMatchObject({ services: [], software: { count: 0 }, inventory: [] });
  await send({ assets: [web('web-3')] });
  expect((await byValue(table))['web-3']).toMatchObject({ services: [{ port: 443 }], software: { count: 1 } });
  await expectExact(table, [assets]);
});

test('a batch without a usable asset, and one of a caller that is no integrator, change nothing', async () => {
  const { send, table, machine, admin } = await integrator();
  expect(await send({ assets: [{ type: 'host' }, 7] })).toMatchObject({
    taskId: null,
    results: [{ accepted: false }, { accepted: false }],
  });
  expect(
    await machine.client.call('sendInventory', { body: { batchId: 'b', source: 'cmdb', assets: [] } }),
  ).toMatchObject({
    status: 400,
  });
  expect(
    await admin.call('sendInventory', { body: { batchId: 'b', source: 'cmdb', assets: [web('a')] } }),
  ).toMatchObject({
    status: 401,
  });
  expect(await byValue(table)).toEqual({});
});
