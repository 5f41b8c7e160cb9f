import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { nmap } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

const imported = (admin: Client, addresses: readonly string[]) => {
  const content = nmap(addresses.map((address) => ({ address, ports: [80] })));
  return admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { format: 'nmap', content } });
};
const places = async (admin: Client) =>
  (await admin.ok('listAssets', {})).data.map(({ name, zone }) => `${name} ${zone}`).sort();

test('an import places each new address by the longest prefix, and finds it there again', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, ['10.1.2.1']);
  await admin.ok('createZone', { body: { name: 'plant', cidrs: ['10.1.0.0/16', '2001:db8::/32'] } });
  const line = await admin.ok('createZone', { body: { name: 'line-2', cidrs: ['10.1.2.7/24'] } });
  expect(line).toMatchObject({ name: 'line-2', cidrs: ['10.1.2.0/24'], description: null });
  const addresses = ['10.1.2.1', '10.1.2.9', '10.1.3.9', '10.2.0.1'];
  const { task } = await imported(admin, addresses);
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 3, unchanged: 1, closed: 0 } });
  const current = ['10.1.2.1 null', '10.1.2.9 line-2', '10.1.3.9 plant', '10.2.0.1 null'];
  expect(await places(admin)).toEqual(current);
  expect((await imported(admin, addresses)).task).toMatchObject({ result: { created: 0, unchanged: 4 } });
  expect(await places(admin)).toEqual(current);
  await expectExact(table, [assets]);
});

test('a zone has a name and blocks of its own, and says which of them cannot be', async () => {
  const { admin, ...own } = await system.newOrganization();
  const { id } = await admin.ok('createZone', { body: { name: 'plant', cidrs: ['10.1.0.0/16'] } });
  const refused = async (body: object) => {
    const answer = await admin.call('createZone', { body: body as never });
    return [Object(answer.body).code, Object(answer.body).details?.[0]?.path];
  };
  expect(await refused({ name: 'plant' })).toEqual(['conflict', 'name']);
  expect(await refused({ name: 'other', cidrs: ['10.7.0.0/16', '10.1.0.0/16'] })).toEqual(['conflict', 'cidrs.1']);
  expect(await admin.call('createZone', { body: { name: 'other', cidrs: ['10.1.2.3/16'] } })).toMatchObject({
    body: { message: '10.1.0.0/16 is a block of the zone plant: remove it there first.' },
  });
  expect(await refused({ name: 'other', cidrs: ['10.3.0.0/16', '10.1.0.0/33'] })).toEqual([
    'validation_failed',
    'cidrs.1',
  ]);
  const params = { id };
  const changed = await admin.ok('updateZone', { params, body: { cidrs: ['10.9.0.0/16'], description: 'north' } });
  expect(changed).toMatchObject({ version: 2, cidrs: ['10.9.0.0/16'], description: 'north' });
  expect(await admin.call('updateZone', { params, body: { name: 'x' } as never })).toMatchObject({
    body: { code: 'read_only' },
  });
  const key = await own.apiKey(['assets:read']);
  expect((await key.ok('listZones', {})).data).toEqual([changed]);
  const analyst = await own.withRole('analyst');
  expect(await analyst.call('deleteZone', { params })).toMatchObject({ body: { code: 'insufficient_scope' } });
  await admin.ok('deleteZone', { params });
  await imported(admin, ['10.9.0.1']);
  expect(await places(admin)).toEqual(['10.9.0.1 null']);
});

test('an asset that a person adds is in the zone of its address, unless the person names a zone', async () => {
  const { admin } = await system.newOrganization();
  await admin.ok('createZone', { body: { name: 'plant', cidrs: ['10.1.0.0/16'] } });
  const add = async (body: object) => {
    const { status, body: answer } = await admin.call('createAsset', { body: body as never });
    return status === 200 ? Object(answer).zone : Object(answer).code;
  };
  expect(await add({ type: 'host', value: '10.1.0.1' })).toBe('plant');
  expect(await add({ type: 'host', value: '10.1.0.1' })).toBe('conflict');
  expect(await add({ type: 'host', value: '10.1.0.1', zone: 'copy of the plant' })).toBe('copy of the plant');
  expect(await add({ type: 'host', value: '10.1.0.2', zone: null })).toBe(null);
  // imports mean that one by the address
  expect(await add({ type: 'host', value: '10.1.0.2' })).toBe('conflict');
  expect(await add({ type: 'host', value: 'web-01.example.com' })).toBe(null);
});
