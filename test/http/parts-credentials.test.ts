import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { bank, expectFiguresListed, expectOwnPages, isIn, SCOPES, type Scope, shop, web } from '../support/parts.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

const ZONES = ['DMZ', 'lab', null] as const;
const KINDS = ['api_key', 'password'] as const;

const placed = fc.record({
  zone: fc.constantFrom(...ZONES),
  applicationIds: fc.subarray([shop, bank]),
  ownerId: fc.constantFrom(web, null),
});
const found = fc.record({
  on: fc.nat(5),
  key: fc.nat(11),
  status: fc.constantFrom('open' as const, 'fixed' as const, 'false_positive' as const),
  tool: fc.constantFrom('gitleaks', 'trufflehog'),
});
const [PLACES, FOUND] = fc.sample(
  fc.tuple(fc.array(placed, { minLength: 6, maxLength: 6 }), fc.array(found, { minLength: 20, maxLength: 20 })),
  { numRuns: 1, seed: 3 },
)[0] ?? [[], []];

const placesOf = (key: number) => FOUND.filter((one) => one.key === key).flatMap(({ on }) => PLACES[on] ?? []);

let organization: TestOrganization;
let assetIds: string[];
/** The ids of credentials by the account that each of their findings names. */
let ids: Map<string, string>;

beforeAll(async () => {
  organization = await system.newOrganization();
  const { table } = organization;
  assetIds = [];
  for (const [n, { zone }] of PLACES.entries()) {
    const value = `https://git.example.test/acme/repo-${n}`;
    const seen = { firstSeenAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-01-01T00:00:00.000Z' };
    assetIds.push((await table.create(assets, { ...ASSET, ...seen, value, name: value, zone })).id);
  }
  for (const { on, key, ...one } of FOUND) {
    const { zone = null, applicationIds = [], ownerId = null } = PLACES[on] ?? {};
    const asset = { id: assetIds[on] ?? '', type: 'repository' as const, name: `repo-${on}`, zone };
    const secret = {
      key: `key-${key}`,
      kind: KINDS[key % 2] ?? ('other' as const),
      masked: `k${key}****`,
      account: `a${key}`,
    };
    const behind = { ...(applicationIds.length > 0 && { applicationIds }), ...(ownerId && { assetOwnerId: ownerId }) };
    await addFinding(table, { ...one, asset, secret, ...behind });
  }
  await follow({ connections: system.connections, table });
  const all = await organization.admin.ok('listExposedCredentials', { query: { paginateSize: 100 } });
  ids = new Map(all.data.map(({ account, id }) => [account ?? '', id]));
  expect(ids.size).toBe(new Set(FOUND.map(({ key }) => key)).size);
});

const ASSET = { type: 'repository' as const, criticality: 'low' as const, internetExposed: null, tags: [] };

const seenBy = (scope: Scope): Set<string> =>
  new Set([...ids].flatMap(([account, id]) => (isIn(scope, placesOf(Number(account.slice(1)))) ? [id] : [])));

const QUERIES = [
  {},
  { status: 'active' },
  { kind: 'api_key', source: 'scanner' },
  { filter: 'tool:gitleaks -status:false_positive' },
  { filter: 'verified:unknown' },
  { paginateFrom: 1, paginateSize: 2 },
] as const;

test.each(SCOPES)('%j has the exposed credentials all of whose places it has, and figures of these', async (scope) => {
  const { admin } = organization;
  const person = await organization.person('viewer', scope);
  const visible = seenBy(scope);
  const lists = {
    all: (query: never) => admin.ok('listExposedCredentials', { query }),
    own: (query: never) => person.ok('listExposedCredentials', { query }),
  };
  await expectOwnPages(QUERIES, lists, visible);
  for (const assetId of assetIds) {
    const all = await admin.ok('searchExposedCredentials', { query: { search: 'repo', assetId } });
    const own = await person.ok('searchExposedCredentials', { query: { search: 'repo', assetId } });
    expect(own.data).toEqual(all.data.filter(({ id }) => visible.has(id)));
  }
  for (const id of ids.values()) {
    const params = { id };
    for (const operation of ['getExposedCredential', 'listExposedCredentialPlaces'] as const) {
      const own = await person.call(operation, { params });
      if (visible.has(id)) expect(own.body).toEqual(await admin.ok(operation, { params }));
      else expect(own).toMatchObject({ status: 400, body: { code: 'not_found' } });
    }
  }
  const named = await person.ok('listExposedCredentials', { query: { ids: [...ids.values()].join(',') } });
  expect(new Set(named.data.map(({ id }) => id))).toEqual(visible);
  const summary = await person.ok('getExposedCredentialsSummary');
  await expectFiguresListed(person, summary);
  expect(summary.oldestActiveSeconds === null).toBe(summary.byStatus.active === 0);
  const counted = await person.ok('listFilterValues', { query: { entity: 'exposed-credential', field: 'tool' } });
  const tools = await person.ok('listExposedCredentials', { query: { filter: 'tool:gitleaks' } });
  expect(counted.find(({ value }) => value === 'gitleaks')?.count ?? 0).toBe(tools.totalCount);
});

test('a decision on credentials reaches those of the part with their findings, and no others', async () => {
  const { admin } = organization;
  const scope = { applicationIds: [shop] };
  const visible = seenBy(scope);
  expect(visible.size).toBeGreaterThan(0);
  expect(visible.size).toBeLessThan(ids.size);
  const person = await organization.person('analyst', scope);
  const before = await admin.ok('listExposedCredentials', { query: { paginateSize: 100 } });
  const outside = before.data.find(({ id }) => !visible.has(id));
  const decision = { status: 'false_positive' as const, reason: 'an example' };
  const one = { params: { id: outside?.id ?? '' }, body: decision };
  expect((await person.call('updateExposedCredential', one)).body).toMatchObject({ code: 'not_found' });
  const { reason, status } = decision;
  const body = { filter: { status: ['active' as const] }, changes: { status }, reason };
  const query = { waitSeconds: 20 };
  const active = before.data.filter((row) => visible.has(row.id) && row.status === 'active').length;
  const preview = await person.ok('updateExposedCredentials', { query, body: { ...body, dryRun: true } });
  expect(preview.preview).toMatchObject({ matched: active, changed: active });
  const named = { ids: [...ids.values()], changes: { status }, reason };
  const { task, taskId } = await person.ok('updateExposedCredentials', { query, body: named });
  expect(task?.result).toMatchObject({ refusedCount: ids.size - visible.size });
  const after = await admin.ok('listExposedCredentials', { query: { paginateSize: 100 } });
  const stated = after.data.filter(({ decidedBy }) => decidedBy?.id === person.id).map(({ id }) => id);
  expect(stated.every((id) => visible.has(id))).toBe(true);
  expect(after.data.filter((row) => visible.has(row.id)).every((row) => row.status === status)).toBe(true);
  expect(after.data.filter(({ id }) => !visible.has(id))).toEqual(before.data.filter(({ id }) => !visible.has(id)));
  const stranger = await organization.person('analyst', { zones: ['lab'] });
  const params = { taskId: taskId ?? '' };
  expect((await stranger.call('undoExposedCredentialsUpdate', { params })).body).toMatchObject({ code: 'not_found' });
  const undo = await finished(person, (await person.ok('undoExposedCredentialsUpdate', { params })).taskId);
  expect(undo).toMatchObject({ status: 'succeeded' });
});

test('a credential leaves a part as soon as it is found outside of it', async () => {
  const { table, admin } = organization;
  const person = await organization.person('viewer', { zones: ['attic'] });
  const secret = { key: 'key-new', kind: 'api_key' as const, masked: 'new****', account: 'new' };
  const at = (n: number, zone: string | null) => ({
    id: assetIds[n] ?? '',
    type: 'repository' as const,
    name: 'r',
    zone,
  });
  await addFinding(table, { asset: at(0, 'attic'), secret, tool: 'gitleaks' });
  await follow({ connections: system.connections, table });
  const own = await person.ok('listExposedCredentials');
  expect(own.data).toMatchObject([{ account: 'new', places: 1 }]);
  await addFinding(table, { asset: at(1, 'lab'), secret, tool: 'gitleaks', location: 'elsewhere' });
  await follow({ connections: system.connections, table });
  expect((await person.ok('listExposedCredentials')).totalCount).toBe(0);
  expect((await admin.ok('listExposedCredentials', { query: { account: 'new' } })).data).toMatchObject([{ places: 2 }]);
});
