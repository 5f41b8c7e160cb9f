import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { expectFiguresListed } from '../support/parts.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();

const [shop, bank, web] = [newId(), newId(), newId()];
const ZONES = ['dmz', 'Lab', null] as const;
type Part = { zones?: string[]; applicationIds?: string[]; teamIds?: string[] };

const PARTS: readonly Part[] = [
  { zones: ['DMZ'] },
  { zones: ['lab', 'nowhere'] },
  { applicationIds: [shop] },
  { zones: ['dmz'], applicationIds: [bank] },
  { teamIds: [web] },
  { zones: ['lab'], teamIds: [web, newId()] },
];

type Placed = {
  asset: { zone: string | null };
  applicationIds?: readonly string[] | undefined;
  assetOwnerId?: string | undefined;
};

const isIn = ({ zones = [], applicationIds = [], teamIds = [] }: Part, { asset, ...own }: Placed): boolean =>
  zones.some((zone) => zone.toLowerCase() === asset.zone?.toLowerCase()) ||
  (own.applicationIds ?? []).some((id) => applicationIds.includes(id)) ||
  teamIds.some((id) => id === own.assetOwnerId);

const drafts = fc.record({
  title: fc.constantFrom('weak log4j', 'openssl'),
  severity: fc.constantFrom('critical' as const, 'low' as const),
  status: fc.constantFrom('open' as const, 'in_progress' as const, 'fixed' as const),
  zone: fc.constantFrom(...ZONES),
  applicationIds: fc.constantFrom<(string[] | undefined)[]>(undefined, [shop], [bank], [shop, bank]),
  assetOwnerId: fc.constantFrom(undefined, web, 'somebody'),
});

const QUERIES = [
  {},
  { severity: 'critical' },
  { status: 'open,in_progress' },
  { status: 'open', severity: 'low' },
  { sort: 'priority' },
  { sort: 'oldest' },
  { filter: '-severity:low' },
  { filter: 'log4j -asset.zone:dmz' },
  { applicationId: bank },
  { paginateFrom: 2, paginateSize: 3 },
] as const;

describe('findings of a person with a role for a part', () => {
  let organization: TestOrganization;
  let made: { id: string; status: string; seen: (part: Part) => boolean }[];

  beforeAll(async () => {
    organization = await system.newOrganization();
    const { table } = organization;
    const at = now();
    made = [];
    for (const { zone, ...fields } of fc.sample(drafts, { numRuns: 30, seed: 7 })) {
      const asset = { id: newId(), type: 'host' as const, name: 'web', zone };
      const draft = findingDraft(at, { ...fields, asset });
      const { id } = await table.create(findings, draft);
      made.push({ id, status: draft.status, seen: (part) => isIn(part, draft) });
    }
  });

  test.each(PARTS)('lists, searches and counts what %j has, and opens nothing else', async (part) => {
    const person = await organization.person('analyst', part);
    expect((await person.ok('getMe')).roles).toEqual([{ roleId: 'analyst', scope: part }]);
    const visible = new Set(made.filter(({ seen }) => seen(part)).map(({ id }) => id));
    for (const query of QUERIES) {
      const { paginateFrom = 0, paginateSize = 100, ...asked } = { ...query } as Record<string, never>;
      const all = await organization.admin.ok('listFindings', { query: { ...asked, paginateSize: 100 } });
      const expected = all.data.filter(({ id }) => visible.has(id));
      const answer = await person.ok('listFindings', { query: { ...asked, paginateFrom, paginateSize } });
      expect(answer.data).toEqual(expected.slice(paginateFrom, paginateFrom + paginateSize));
      expect(answer.totalCount).toBe(expected.length);
    }
    const search = { search: 'log4j', paginateSize: 100 } as const;
    const found = await organization.admin.ok('searchFindings', { query: search });
    const own = await person.ok('searchFindings', { query: search });
    expect(own.data).toEqual(found.data.filter(({ id }) => visible.has(id)));
    const ids = made.map(({ id }) => id).join(',');
    const byIds = await person.ok('listFindings', { query: { ids } });
    expect(new Set(byIds.data.map(({ id }) => id))).toEqual(visible);
    for (const { id } of made) await expectOpen(person, id, visible.has(id));
  });

  test.each(PARTS)('measures how long the findings of %j took, or says what to ask for', async (part) => {
    const person = await organization.person('viewer', part);
    const [zone] = part.zones ?? [];
    const isSum = Object.keys(part).length === 1;
    const refused = await person.call('getFindingsMeanTimes');
    if (!isSum)
      expect(refused.body).toMatchObject({ message: expect.stringContaining('send `zone`, `applicationId`') });
    const asked = isSum ? [{}] : [{ zone }];
    for (const query of [...asked, ...(zone === undefined ? [] : [{ zone }])]) {
      const metrics = await person.ok('getFindingsMeanTimes', { query });
      const within: Part = 'zone' in query ? { zones: [zone ?? ''] } : part;
      const open = made.filter(({ seen, status }) => seen(within) && status !== 'fixed');
      expect(metrics.openAge?.count ?? 0).toBe(open.length);
      await expectFiguresListed(person, metrics);
      const overview = await person.ok('getMeanTimeOverview', { query });
      expect(overview.findings.openAge?.count).toBe(metrics.openAge?.count);
    }
    expect((await person.call('getFindingsMeanTimes', { query: { zone: 'office' } })).body).toMatchObject({
      code: 'insufficient_scope',
    });
  });

  test('changes what the person sees, and writes nothing outside', async () => {
    const part = { zones: ['dmz'] };
    const person = await organization.person('analyst', part);
    const [inside, outside] = [made.find(({ seen }) => seen(part)), made.find(({ seen }) => !seen(part))];
    const params = { id: inside?.id ?? '' };
    const body = { status: 'risk_accepted', reason: 'known', acceptedUntil: '2030-01-01' } as const;
    const changed = await person.ok('updateFinding', { params, body });
    expect(changed).toMatchObject({ status: 'risk_accepted', acceptance: { approver: { id: person.id } } });
    const comment = await person.ok('createFindingComment', { params, body: { text: 'looked at it' } });
    expect((await organization.admin.ok('listFindingComments', { params })).data).toMatchObject([{ id: comment.id }]);
    const other = { id: outside?.id ?? '' };
    await expectRefused(person.call('updateFinding', { params: other, body: { tags: ['x'] } }));
    await expectRefused(person.call('createFindingComment', { params: other, body: { text: 'x' } }));
    const asked = { params: other, body: { ...body, approverId: person.id } };
    expect(await organization.admin.call('updateFinding', asked)).toMatchObject({
      body: { code: 'validation_failed' },
    });
  });
});

/** An unseen record answers like one that does not exist. */
async function expectOpen(person: Client, id: string, isSeen: boolean): Promise<void> {
  for (const operation of ['getFinding', 'listFindingHistory', 'listFindingComments'] as const) {
    const answer = person.call(operation, { params: { id } });
    if (isSeen) expect((await answer).status).toBe(200);
    else await expectRefused(answer);
  }
}

const expectRefused = async (answer: Promise<{ status: number; body: unknown }>): Promise<void> =>
  expect(await answer).toMatchObject({ status: 400, body: { code: 'not_found' } });

test('every operation says how it is restricted, or is closed to a role for a part', async () => {
  const organization = await system.newOrganization();
  const admin = await organization.person('admin', { zones: ['dmz'] });
  const id = newId();
  const open: string[] = [];
  for (const { routes } of Object.values(areas))
    for (const [name, { method, path, access, ...route }] of Object.entries(routes)) {
      if (access === 'public' || path.startsWith('/scim')) continue;
      if ('inPart' in route) {
        open.push(name);
        continue;
      }
      const answer = await admin.send(method, path.replaceAll(/\{\w+\}/g, id), {});
      expect([name, answer.status, Object(answer.body).code]).toEqual([name, 401, 'insufficient_scope']);
    }
  expect(open.length).toBeGreaterThan(10);
});

test('only who sees the whole organization gives a part, and an owner has none', async () => {
  const organization = await system.newOrganization();
  const person = await organization.person('viewer');
  const scope = { zones: ['dmz'] };
  const params = { id: person.id };
  await organization.admin.ok('createZone', { body: { name: 'DMZ' } });
  const given = await organization.admin.ok('updateUser', { params, body: { roles: [{ roleId: 'viewer', scope }] } });
  expect(given.roles).toEqual([{ roleId: 'viewer', scope }]);
  for (const wrong of [
    { roleId: 'viewer', scope: {} },
    { roleId: 'viewer', scope: { zones: [] } },
    { roleId: 'owner', scope },
  ])
    expect(await organization.admin.call('updateUser', { params, body: { roles: [wrong] } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  for (const unknown of [{ applicationIds: [newId()] }, { teamIds: [newId()] }])
    expect(
      await organization.admin.call('updateUser', { params, body: { roles: [{ roleId: 'viewer', scope: unknown }] } }),
    ).toMatchObject({ body: { code: 'validation_failed' } });
  const slip = { roles: [{ roleId: 'viewer', scope: { zones: ['dmz', 'ofice'] } }] };
  await organization.admin.ok('createAsset', { body: { type: 'host', value: 'a.example', zone: 'office' } });
  expect(await organization.admin.call('updateUser', { params, body: slip })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'roles.0.scope.zones.1', message: expect.stringContaining('did you mean office?') }] },
  });
  const back = await organization.admin.ok('updateUser', { params, body: { roles: [{ roleId: 'viewer' }] } });
  expect(back.roles).toEqual([{ roleId: 'viewer' }]);
});
