import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { changeSettings } from '#shared/organizations/change-settings.ts';
import { approvalRequests } from '#shared/people/approval-request.ts';
import { decide } from '#shared/people/second-person.ts';
import { users } from '#shared/people/user.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { makeCampaign, makeTask, openEngagement } from '../support/apex.ts';
import type { RawAnswer } from '../support/client.ts';
import { everyOperation, type NamedRoute } from '../support/every-route.ts';
import { ONE_PERSON } from '../support/one-person.ts';
import { lettersTo } from '../support/people.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { timersOf } from '../support/timers.ts';
import { follow } from '../support/vulnerabilities.ts';
import { until } from '../support/wait.ts';

/** Staff of the provider decide about whole organizations: a second one always approves, by an operation of its own. */
const SECOND_OF_STAFF = ['deleteOrganization', 'restoreOrganization'];

const ends = ({ method, name }: NamedRoute): boolean =>
  method === 'DELETE' ||
  /^(accept)?(delete|merge|purge|remove|revoke|retire|erase|forget|clear|suspend|release|restore|handOver)/i.test(name);

test('each operation that ends something needs a second person, or can be undone', () => {
  const ending = everyOperation.filter((route) => route.method !== 'GET' && ends(route));
  expect(ending.length).toBeGreaterThan(60);
  const names = ending.map(({ name }) => name);
  const marked = everyOperation.filter(({ irreversible }) => irreversible).map(({ name }) => name);
  const reasons = [...Object.keys(ONE_PERSON), ...SECOND_OF_STAFF];
  expect(names.filter((name) => !marked.includes(name) && !reasons.includes(name))).toEqual([]);
  expect(reasons.filter((name) => marked.includes(name))).toEqual([]);
});

const system = startSystem();
let organization: TestOrganization;
type Person = Awaited<ReturnType<TestOrganization['person']>>;
let ana: Person;
let ben: Person;

/** A person who joined a while ago. */
async function personFor(days: number, role = 'owner', of = organization): Promise<Person> {
  const person = await of.person(role);
  const joinedAt = new Date(nowMs() - days * DAY_MS).toISOString();
  await of.table.modify(users, person.id, () => ({ joinedAt }));
  return person;
}

beforeAll(async () => {
  organization = await system.newOrganization();
  await changeSettings(organization.table, { irreversibleNeedsSecondPerson: true });
  [ana, ben] = await Promise.all([personFor(8), personFor(8)]);
});

const newAsset = async () =>
  (await organization.admin.ok('createAsset', { body: { type: 'host', value: `${newId()}.example.com` } })).id;
const newFinding = async () => {
  const body = { title: 'Weak reset', severity: 'low', assetId: await newAsset() };
  return (await organization.admin.ok('createFinding', { body: body as never })).id;
};
const newEngagement = () => openEngagement(organization);

/** A record for each operation that always needs a second person: the parameters of its path. */
const making: Record<string, () => Promise<Record<string, string>>> = {
  deleteAsset: async () => ({ id: await newAsset() }),
  deleteApplication: async () => ({
    id: (await organization.admin.ok('createApplication', { body: { name: `shop ${newId()}` } as never })).id,
  }),
  deleteFinding: async () => ({ id: await newFinding() }),
  async deleteFindingEvidence() {
    const id = await newFinding();
    const content = 'a picture';
    const sha256 = createHash('sha256').update(content).digest('hex');
    const asked = { sizeBytes: content.length, sha256, name: 'picture.png' };
    const { uploadId, parts } = await organization.admin.ok('createUpload', { body: asked });
    for (const { url, headers } of parts) await fetch(url, { method: 'PUT', headers, body: content });
    const body = { kind: 'screenshot' as const, uploadId };
    await organization.admin.ok('createFindingEvidence', { params: { id }, body });
    return { id, evidenceId: uploadId };
  },
  async deleteIdentity() {
    const { client } = await organization.machine('integrator', { name: `directory ${newId()}` });
    const name = newId();
    const identities = [{ externalId: name, source: 'ldap', names: [name] }];
    const { results } = await client.ok('sendIdentities', { body: { identities } });
    return { id: results[0]?.recordId ?? '' };
  },
  async deleteReport() {
    const query = { waitSeconds: 20 };
    await organization.admin.ok('generateReport', { query, body: { kind: 'compliance' } });
    const { data } = await organization.admin.ok('listReports', {});
    return { id: data[0]?.id ?? '' };
  },
  deleteRemediation: async () => ({
    id: (await organization.admin.ok('createRemediation', { body: { title: 'Upgrade' } as never })).id,
  }),
  deleteApexTask: async () => ({ id: (await makeTask(organization, await newEngagement())).id }),
  deleteCampaign: async () => ({ id: (await makeCampaign(organization, await newEngagement())).id }),
  async deleteEngagementNote() {
    const id = await newEngagement();
    const body = { text: 'Called the owner.' };
    return { id, noteId: (await organization.admin.ok('createEngagementNote', { params: { id }, body })).id };
  },
  async deleteWorkEntry() {
    const id = await newEngagement();
    const body = { minutes: 90, what: 'Preparation', date: now().slice(0, 10) };
    return { id, entryId: (await organization.admin.ok('createWorkEntry', { params: { id }, body })).id };
  },
};

const always = everyOperation.filter(({ irreversible }) => irreversible === true);
const needed = { status: 400, body: { code: 'approval_required', current: { status: 'waiting' } } };

test('this file has a record for each operation that always needs a second person', () => {
  expect(Object.keys(making).toSorted()).toEqual(always.map(({ name }) => name).toSorted());
});

describe.each(always)('$name', (route) => {
  const send = (client: Pick<Person, 'send'>, params: Record<string, string>): Promise<RawAnswer> =>
    client.send(route.method, route.path, { params });

  test('happens when a second person sends the same request, and not before', async () => {
    const params = (await making[route.name]?.()) ?? {};
    const first = await send(ana, params);
    expect(first).toMatchObject(needed);
    expect(await send(ana, params)).toMatchObject(needed);
    expect(await send(organization.admin, params)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
    const { id } = Object(first.body).current;
    expect(await ben.ok('getApprovalRequest', { params: { id } })).toMatchObject({
      operation: route.name,
      method: route.method,
      status: 'waiting',
      createdBy: { id: ana.id },
    });
    expect(await send(ben, params)).toMatchObject({ status: 200 });
    expect(await ana.ok('getApprovalRequest', { params: { id } })).toMatchObject({
      status: 'approved',
      decidedBy: { id: ben.id },
    });
    expect(await send(ben, params)).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });
});

describe('the second person', () => {
  const remove = (client: Pick<Person, 'call'>, id: string) => client.call('deleteAsset', { params: { id } });

  test('has the same right, and was not added for this', async () => {
    const id = await newAsset();
    expect(await remove(ana, id)).toMatchObject(needed);
    const newcomer = await personFor(6);
    expect(await remove(newcomer, id)).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const analyst = await personFor(8, 'analyst');
    expect(await remove(analyst, id)).toMatchObject({ status: 401 });
    expect(await remove(await organization.apiKey(['assets:read']), id)).toMatchObject({ status: 401 });
    await organization.admin.ok('getAsset', { params: { id } });
    expect(await remove(ben, id)).toMatchObject({ status: 200 });
  });

  test('sees what waits, and refuses; the first person withdraws; others neither see nor refuse', async () => {
    const waitingOf = async (client: Person) => {
      const { data } = await client.ok('listApprovalRequests', { query: { status: 'waiting', paginateSize: 100 } });
      return data.map(({ path }) => path);
    };
    const [one, other] = [await newAsset(), await newAsset()];
    const asked = [await remove(ana, one), await remove(ana, other)].map(({ body }) => Object(body).current.id);
    expect(await waitingOf(ben)).toEqual(expect.arrayContaining([one, other].map((id) => `/api/v1/assets/${id}`)));
    const viewer = await personFor(8, 'viewer');
    expect(await waitingOf(viewer)).toEqual([]);
    const params = { id: asked[0] };
    const body = { reason: 'still in use' };
    expect(await viewer.call('refuseApprovalRequest', { params, body })).toMatchObject({ body: { code: 'not_found' } });
    const auditor = await personFor(8, 'auditor');
    expect(await waitingOf(auditor)).toEqual(expect.arrayContaining([`/api/v1/assets/${one}`]));
    expect(await auditor.call('refuseApprovalRequest', { params, body })).toMatchObject({ status: 400 });
    expect(await ben.ok('refuseApprovalRequest', { params, body })).toMatchObject({
      status: 'refused',
      decidedBy: { id: ben.id },
      ...body,
    });
    expect(await ben.call('refuseApprovalRequest', { params, body })).toMatchObject({ body: { code: 'conflict' } });
    expect(await ana.ok('refuseApprovalRequest', { params: { id: asked[1] }, body: {} })).toMatchObject({
      status: 'refused',
      decidedBy: { id: ana.id },
    });
    expect(await remove(ben, one)).toMatchObject(needed);
    expect(await timersOf(organization.table)).not.toContainEqual(
      expect.objectContaining({ kind: 'approval-request', id: asked[0] }),
    );
  });

  test('reads of the request in a letter, once; the first person gets none', async () => {
    const id = await newAsset();
    await Promise.all([remove(ana, id), remove(ana, id)]);
    await remove(ana, id);
    const about = async (person: Person) => {
      const { email } = await organization.table.get(users, person.id);
      return (await lettersTo(system, email)).filter(({ text }) => text?.includes(`DELETE /api/v1/assets/${id}`));
    };
    const letters = await until(
      () => about(ben),
      (found) => found.length > 0,
    );
    expect(letters.map(({ subject }) => subject)).toEqual(['A second person is needed: deleteAsset']);
    expect(letters[0]?.text).toContain('/administration/approvals');
    expect(await about(ana)).toEqual([]);
    expect(await remove(ben, id)).toMatchObject({ status: 200 });
  });

  test('is asked for, and is, a person whose role holds for a part, for records of the part alone', async () => {
    const own = await system.newOrganization();
    await changeSettings(own.table, { irreversibleNeedsSecondPerson: true });
    const { admin } = own;
    const made = await Promise.all(
      ['plant', 'laboratory'].map((zone) =>
        admin.ok('createAsset', { body: { type: 'host', value: `web.${zone}.example.com`, zone } as never }),
      ),
    );
    const [inside = '', outside = ''] = made.map((asset) => asset.id);
    const people = await Promise.all([
      personFor(8, 'admin', own),
      personFor(8, 'admin', own),
      personFor(8, 'admin', own),
    ]);
    const [whole, first, second] = people as [Person, Person, Person];
    for (const { id } of [first, second])
      await admin.ok('updateUser', {
        params: { id },
        body: { roles: [{ roleId: 'admin', scope: { zones: ['plant'] } }] } as never,
      });
    const missing = { status: 400, body: { code: 'not_found' } };
    expect(await remove(first, outside)).toMatchObject(missing);
    expect(await remove(whole, outside)).toMatchObject(needed);
    // the part hides the asset also from the second person
    expect(await remove(second, outside)).toMatchObject(missing);
    expect(await remove(first, inside)).toMatchObject(needed);
    expect(await remove(second, inside)).toMatchObject({ status: 200 });
    expect((await admin.ok('listAssets', {})).data.map((asset) => asset.id)).toEqual([outside]);
    expect(await remove(whole, outside)).toMatchObject(needed);
  });

  test('is too late after seven days', async () => {
    const id = await newAsset();
    const { body } = await remove(ana, id);
    const { table } = organization;
    const asked = await table.get(approvalRequests, Object(body).current.id);
    expect(Date.parse(asked.expiresAt) - nowMs()).toBeGreaterThan(6.9 * DAY_MS);
    await decide(table, asked, { status: 'waiting', expiresAt: now() } as never);
    const again = await remove(ben, id);
    expect(again).toMatchObject(needed);
    expect(Object(again.body).current).toMatchObject({ createdBy: { id: ben.id } });
    expect(await ana.ok('getApprovalRequest', { params: { id: asked.id } })).toMatchObject({ status: 'expired' });
  });

  test('nobody needs to look: a request that nobody decides expires, and the audit log has each step', async () => {
    const { body } = await remove(ana, await newAsset());
    const { id } = Object(body).current;
    const { table } = organization;
    await decide(table, await table.get(approvalRequests, id), { status: 'waiting', expiresAt: now() } as never);
    await sweep(system.connections);
    expect(await ana.ok('getApprovalRequest', { params: { id } })).toMatchObject({
      status: 'expired',
      decidedBy: null,
    });
    await follow({ connections: system.connections, table });
    const { data } = await organization.admin.ok('listAudit', { query: { limit: 100 } });
    expect(data.filter((line) => JSON.stringify(line).includes(id)).length).toBeGreaterThanOrEqual(2);
  });
});

describe('sometimes', () => {
  test('an owner ends by two persons, anybody else by one', async () => {
    const carol = await personFor(8);
    const params = { id: carol.id };
    const toViewer = { params, body: { roles: [{ roleId: 'viewer' as const }] } };
    expect(await ana.call('suspendUser', { params })).toMatchObject(needed);
    expect(await ana.call('deactivateUser', { params })).toMatchObject(needed);
    expect(await ana.call('updateUser', toViewer)).toMatchObject(needed);
    const administrator = await personFor(8, 'admin');
    expect(await administrator.call('updateUser', toViewer)).toMatchObject({ status: 401 });
    expect(await ben.ok('updateUser', toViewer)).toMatchObject({ roles: [{ roleId: 'viewer' }] });
    expect(await ana.ok('deactivateUser', { params })).toMatchObject({ id: carol.id });
    const account = await ana.ok('createServiceAccount', { body: { name: 'root', role: 'owner' } });
    expect(await ana.call('revokeServiceAccount', { params: { id: account.id } })).toMatchObject(needed);
    expect(await ben.ok('revokeServiceAccount', { params: { id: account.id } })).toMatchObject({ id: account.id });
  });

  test('the setting itself: two persons turn it on, and off', async () => {
    const other = await system.newOrganization();
    const [dora, emil] = await Promise.all([personFor(8, 'admin', other), personFor(8, 'admin', other)]);
    const turn = (client: Pick<Person, 'call'>, on: boolean | null) =>
      client.call('updateOrganizationSettings', { body: { irreversibleNeedsSecondPerson: on } });
    expect(await turn(other.admin, true)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
    expect(await turn(dora, true)).toMatchObject(needed);
    expect(await turn(dora, false)).toMatchObject({ status: 200, body: { irreversibleNeedsSecondPerson: false } });
    expect(await turn(emil, true)).toMatchObject({ status: 200, body: { irreversibleNeedsSecondPerson: true } });
    expect(await turn(dora, null)).toMatchObject(needed);
    const unsafe = { body: { exploitationNeedsSecondPerson: false } };
    expect(await dora.call('updateOrganizationSettings', unsafe)).toMatchObject(needed);
    expect(await dora.call('updateOrganizationSettings', { body: { branchDays: 20 } })).toMatchObject({ status: 200 });
    expect(await turn(emil, null)).toMatchObject({ status: 200, body: { irreversibleNeedsSecondPerson: false } });
  });

  test('without the setting one person, account or key is enough', async () => {
    const other = await system.newOrganization();
    const body = { type: 'host' as const, value: 'web.example.com' };
    const { id } = await other.admin.ok('createAsset', { body });
    expect(await other.admin.call('deleteAsset', { params: { id } })).toMatchObject({ status: 200 });
  });
});
