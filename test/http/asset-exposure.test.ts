import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { startWork } from '../support/applications.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';

const system = startSystem();

type Graph = { nodes: { id: string; kind: string; text: string }[]; edges: { from: string; to: string }[] };

const https = { port: 443, protocol: 'tcp', service: 'https', product: 'nginx', version: '1.18', cpe: null };
const ssh = { port: 22, protocol: 'tcp', service: 'ssh', product: null, version: null, cpe: null };

async function hostWith({ admin, table }: TestOrganization, internetExposed: boolean) {
  const { id } = await admin.ok('createAsset', { body: { type: 'host', value: 'web-1', internetExposed } });
  const { type, name, zone } = await table.modify(assets, id, () => ({ services: [https, ssh] }));
  return { id, type, name, zone };
}

test('the exposure of an asset leads from the internet over its services to what is open there', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const asset = await hostWith(organization, true);
  await addFinding(table, log4j({ asset, locationDetail: { host: 'web-1', port: 22 } }));
  const nginx = { name: 'nginx', version: '1.18', fixedVersions: [] };
  await addFinding(
    table,
    log4j({ asset, cves: ['CVE-2021-23017'], ruleId: 'x', component: nginx, locationDetail: {} }),
  );
  await addFinding(table, log4j({ asset, cves: ['CVE-2020-0001'], ruleId: 'x', locationDetail: {} }));
  await addFinding(table, log4j({ asset, cves: ['CVE-2020-0002'], ruleId: 'x', status: 'false_positive' }));
  await follow({ connections: system.connections, table });
  const { nodes, edges, ...about } = await admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect(about).toEqual({ assetId: asset.id, internetExposed: true, truncated: false });
  const titles = new Map(
    nodes.map(({ id, kind, text }) => [id, kind === 'vulnerability' ? text.slice(0, 14).trim() : id]),
  );
  expect(edges.map(({ from, to }) => [titles.get(from), titles.get(to)].join(' > ')).toSorted()).toEqual([
    'asset > CVE-2020-0001',
    'internet > service:22/tcp:ssh',
    'internet > service:443/tcp:https',
    'service:22/tcp:ssh > CVE-2021-44228',
    'service:443/tcp:https > CVE-2021-23017',
  ]);
  expect(nodes.find(({ kind }) => kind === 'asset')).toMatchObject({
    recordId: asset.id,
    text: 'web-1 is reachable from the internet.',
  });
  expect(nodes.find(({ text }) => text.startsWith('CVE-2021-44228'))).toMatchObject({
    severity: 'critical',
    status: 'open',
  });
  expect([...nodes, ...edges].filter(({ text }) => !text.endsWith('.'))).toEqual([]);
});

test('nothing leads from the internet to an asset of which nobody said that it is exposed', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, false);
  const { nodes, edges } = await organization.admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect(nodes.map(({ kind }) => kind)).toEqual(['asset', 'service', 'service']);
  expect(edges).toEqual([]);
});

test('an answer is bounded, and says that there is more', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, true);
  const services = Array.from({ length: 60 }, (_, n) => ({ ...ssh, port: 1000 + n }));
  await organization.table.modify(assets, asset.id, () => ({ services }));
  const { nodes, truncated } = await organization.admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect([nodes.filter(({ kind }) => kind === 'service').length, truncated]).toEqual([50, true]);
});

test('the applications of an asset are named, and how the internet reaches them', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, true);
  const { analyst, application, link } = await startWork(organization);
  const shop = await application('Web shop', { criticality: 'critical' });
  await application('another');
  await link(shop, asset.id);
  const read = () => analyst.ok('getAssetExposure', { params: { id: asset.id } });
  const { nodes, edges } = await read();
  expect(nodes.filter(({ kind }) => kind === 'application')).toMatchObject([
    { recordId: shop, text: 'Web shop is an application of critical criticality.' },
  ]);
  const waysTo = (all: typeof edges) =>
    all.flatMap(({ from, to }) => (to === `application:${shop}` ? from : [])).toSorted();
  expect(waysTo(edges)).toEqual(['service:22/tcp:ssh', 'service:443/tcp:https']);
  await analyst.ok('updateAsset', { params: { id: asset.id }, body: { internetExposed: false } });
  expect(waysTo((await read()).edges)).toEqual(['asset']);
});

describe('exposed credentials of an asset', () => {
  async function withSecrets() {
    const organization = await system.newOrganization();
    const asset = await hostWith(organization, true);
    const secret = (key: string, port?: number, fields: object = {}) =>
      addFinding(organization.table, {
        asset,
        tool: 'nuclei',
        ruleId: 'default-login',
        cves: [],
        secret: { key, kind: 'password', masked: 'ad****in', ...fields },
        locationDetail: port === undefined ? {} : { host: 'web-1', port },
      });
    await secret('on-ssh', 22, { account: 'root' });
    await secret('in-a-file');
    await secret('elsewhere');
    await follow({ connections: system.connections, table: organization.table });
    return { ...organization, asset, secret };
  }

  const secretsIn = ({ nodes, edges }: Graph) =>
    nodes
      .filter(({ kind }) => kind === 'credential')
      .flatMap(({ id, text }) => edges.flatMap(({ from, to }) => (to === id ? [`${from} > ${text}`] : [])))
      .toSorted();

  test('each that still works is shown behind the service where it was found', async () => {
    const { admin, asset } = await withSecrets();
    const { data } = await admin.ok('listExposedCredentials', {});
    const [last] = data.filter(({ account }) => account === null);
    const body = { status: 'revoked' as const, reason: 'deleted' };
    await admin.ok('updateExposedCredential', { params: { id: last?.id ?? '' }, body });
    const graph = await admin.ok('getAssetExposure', { params: { id: asset.id } });
    expect(secretsIn(graph)).toEqual([
      'asset > A secret (password, ad****in) is exposed.',
      'service:22/tcp:ssh > A secret (password, ad****in) of root is exposed.',
    ]);
    expect(graph.truncated).toBe(false);
    const ids = graph.nodes.flatMap(({ kind, recordId }) => (kind === 'credential' ? [recordId] : []));
    expect(ids.toSorted()).toEqual(data.flatMap(({ id }) => (id === last?.id ? [] : [id])).toSorted());
  });

  test('a caller who may not read findings sees none', async () => {
    const { admin, asset } = await withSecrets();
    const body = { name: 'CI', scopes: ['vulnerabilities:read' as const] };
    const { secret } = await admin.ok('createApiKey', { body });
    const graph = await system.client(() => secret).ok('getAssetExposure', { params: { id: asset.id } });
    expect(secretsIn(graph)).toEqual([]);
    expect(secretsIn(await admin.ok('getAssetExposure', { params: { id: asset.id } }))).toHaveLength(3);
  });

  test('no more than 20 are answered, and that there are more is said', async () => {
    const { admin, asset, table, secret } = await withSecrets();
    for (let n = 0; n < 18; n += 1) await secret(`one-${n}`);
    await follow({ connections: system.connections, table });
    const graph = await admin.ok('getAssetExposure', { params: { id: asset.id } });
    expect([secretsIn(graph).length, graph.truncated]).toEqual([20, true]);
  });
});
