import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { newAccount } from '../support/engagements.ts';
import { findingDraft } from '../support/findings.ts';
import { personIn } from '../support/people.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { runs } from '../support/tier.ts';
import { finished } from '../support/wait.ts';

/** People who work together find, count and do what is assigned to their team. */
const system = startSystem();
let organization: TestOrganization;
let admin: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  admin = organization.admin;
});

const newFinding = (facts: object = {}) =>
  organization.table.create(findings, findingDraft('2026-01-05T08:00:00.000Z', facts));
const accountOf = async (role: string) => newAccount(system, admin, { name: role, role });
const conflict = { status: 400, body: { code: 'conflict' } };

describe('a team', () => {
  test('has a unique name, and its lead as a member', async () => {
    const { account } = await accountOf('analyst');
    const team = await admin.ok('createTeam', { body: { name: 'Payments', leadId: account.id } });
    expect(team).toMatchObject({ name: 'Payments', leadId: account.id, memberIds: [account.id] });
    expect(await admin.call('createTeam', { body: { name: 'payments' } })).toMatchObject(conflict);
    const params = { id: team.id };
    const kept = await admin.ok('updateTeam', { params, body: { memberIds: [], description: 'cards' } });
    expect(kept).toMatchObject({ memberIds: [account.id], description: 'cards', version: 2 });
    const found = await admin.ok('searchTeams', { query: { search: 'paym' } });
    expect(found.data).toEqual([kept]);
    const stranger = await admin.call('updateTeam', { params, body: { memberIds: [newId()] } });
    expect(stranger).toMatchObject({ status: 400, body: { details: [{ path: 'memberIds.0' }] } });
    const listed = await admin.ok('listTeams', { query: { memberId: account.id } });
    expect(listed.data.map(({ id }) => id)).toEqual([team.id]);
  });

  test('is changed by administrators, and by no analyst', async () => {
    const { client } = await accountOf('analyst');
    const refused = { status: 401, body: { code: 'insufficient_scope' } };
    expect(await client.call('createTeam', { body: { name: 'Own' } })).toMatchObject(refused);
    expect((await client.ok('listTeams')).totalCount).toBeGreaterThan(0);
  });

  test('gets findings, which its viewers work on, until they leave the team', async () => {
    const { account, client } = await accountOf('viewer');
    const team = await admin.ok('createTeam', { body: { name: 'Shop', memberIds: [account.id] } });
    const { id } = await newFinding();
    const assigned = await admin.ok('updateFinding', { params: { id }, body: { assigneeId: team.id } });
    expect(assigned).toMatchObject({ assigneeId: team.id, assignee: { id: team.id, name: 'Shop' } });
    const work = { params: { id }, body: { status: 'fixed', reason: 'done' } } as const;
    expect(await client.ok('updateFinding', work)).toMatchObject({ status: 'fixed' });
    await admin.ok('updateTeam', { params: { id: team.id }, body: { memberIds: [] } });
    const again = { params: { id }, body: { status: 'open', reason: 'again' } } as const;
    expect(await client.call('updateFinding', again)).toMatchObject({ status: 401 });
  });

  test('in use is not deleted, and the refusal counts what it has', async () => {
    const team = await admin.ok('createTeam', { body: { name: 'Network' } });
    const shop = { name: 'Intranet', ownerId: team.id };
    const application = await admin.ok('createApplication', { body: shop });
    const { id } = await newFinding();
    await admin.ok('updateFinding', { params: { id }, body: { assigneeId: team.id } });
    const params = { id: team.id };
    const refused = await admin.call('deleteTeam', { params });
    expect(refused).toMatchObject(conflict);
    expect(Object(refused.body).message).toContain('1 findings, 1 applications');
    await admin.ok('updateApplication', { params: { id: application.id }, body: { ownerId: null } });
    await admin.ok('updateFinding', { params: { id }, body: { assigneeId: null } });
    expect(await admin.ok('deleteTeam', { params })).toMatchObject(params);
    expect(await admin.call('getTeam', { params })).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });

  test('is asked for in filters, and an unknown one has nothing', async () => {
    const team = await admin.ok('createTeam', { body: { name: 'Desk' } });
    const { id } = await newFinding();
    await admin.ok('updateFinding', { params: { id }, body: { assigneeId: team.id } });
    for (const query of [{ teamId: team.id }, { filter: `team:${team.id} status:in_progress` }])
      expect((await admin.ok('listFindings', { query })).data.map((one) => one.id)).toEqual([id]);
    const unknown = newId();
    for (const query of [{ teamId: unknown }, { filter: `team:${unknown}` }])
      expect((await admin.ok('listFindings', { query })).totalCount).toBe(0);
    for (const list of [
      'listRemediations',
      'listVulnerabilities',
      'listAlerts',
      'listIncidents',
      'listAssets',
    ] as const)
      expect((await admin.ok(list, { query: { teamId: team.id } })).totalCount, list).toBe(0);
  });
});

const SEVERITIES = ['critical', 'high', 'low'] as const;

test('lists and counts of a team equal a look at each record, for any assignments', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...SEVERITIES), fc.boolean()), { minLength: 1, maxLength: 12 }),
      fc.subarray([1, 2, 3]),
      async (assigned, members) => {
        const own = await system.newOrganization();
        const accounts = await Promise.all(
          [1, 2, 3].map((n) => newAccount(system, own.admin, { name: `account ${n}`, role: 'analyst' })),
        );
        const idOf = (n: number) => accounts[n - 1]?.account.id ?? '';
        const team = await own.admin.ok('createTeam', { body: { name: 'T', memberIds: members.map(idOf) } });
        const made = [];
        for (const [who, severity, isLate] of assigned) {
          const assignee = who === 0 ? undefined : { id: who === 4 ? team.id : idOf(who), name: String(who) };
          const facts = {
            severity,
            ...(assignee && { assignee }),
            ...(isLate && { dueAt: '2026-01-06T08:00:00.000Z' }),
          };
          made.push(await own.table.create(findings, findingDraft('2026-01-05T08:00:00.000Z', facts)));
        }
        const people = new Set([team.id, ...members.map(idOf)]);
        const expected = made.filter(({ assignee }) => assignee && people.has(assignee.id));
        const { data } = await own.admin.ok('listFindings', { query: { teamId: team.id, paginateSize: 50 } });
        expect(data.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        const summary = await own.admin.ok('getTeamSummary', { params: { id: team.id } });
        for (const severity of SEVERITIES)
          expect(summary.openFindings[severity]).toBe(expected.filter((one) => one.severity === severity).length);
        const { data: compared } = await own.admin.ok('listTeamSummaries', { query: { paginateSize: 20 } });
        expect(compared.find(({ id }) => id === team.id)).toEqual(summary);
        expect(summary.overdue).toBe(expected.filter(({ dueAt }) => dueAt).length);
        for (const [figure, path] of Object.entries(summary.links.list)) {
          const list = await own.admin.send('GET', path, {});
          const counted = figure.split('.').reduce((of: unknown, name) => Object(of)[name], summary);
          expect(Object(list.body).totalCount, figure).toBe(counted);
        }
      },
    ),
    { numRuns: runs(3, 25) },
  );
});

describe('somebody who leaves', () => {
  async function leavingUser() {
    const { id } = await personIn(system, organization);
    return { id, end: (handOverTo: string) => admin.call('deactivateUser', { params: { id }, query: { handOverTo } }) };
  }

  async function leavingAccount() {
    const { id } = (await accountOf('analyst')).account;
    return {
      id,
      end: (handOverTo: string) => admin.call('revokeServiceAccount', { params: { id }, query: { handOverTo } }),
    };
  }

  const assigneeOf = async (id: string) => (await admin.ok('getFinding', { params: { id } })).assigneeId;

  test('has belongings, all of which go to a team in one request, and nothing else does', async () => {
    const { account } = await accountOf('analyst');
    const heir = await admin.ok('createTeam', { body: { name: 'Heirs' } });
    const led = await admin.ok('createTeam', { body: { name: 'Led', leadId: account.id } });
    const owned = await admin.ok('createApplication', { body: { name: 'Legacy', ownerId: account.id } });
    const plan = await admin.ok('createRemediation', { body: { title: 'Patch', assigneeId: account.id } });
    const [own, other] = [await newFinding(), await newFinding()];
    await admin.ok('updateFinding', { params: { id: own.id }, body: { assigneeId: account.id } });
    const before = await admin.ok('getBelongings', { params: { id: account.id } });
    expect(before).toMatchObject({
      id: account.id,
      assigned: { findings: 1, vulnerabilities: 0, remediations: 1, assets: 0, applications: 1 },
      teamsLed: [{ id: led.id, name: 'Led' }],
    });
    const handed = await admin.ok('handOver', { params: { id: account.id }, body: { to: heir.id } });
    expect(handed).toMatchObject({
      to: { id: heir.id, name: 'Heirs' },
      tasks: [{ kind: 'findings', records: 1 }],
      moved: { remediations: 1, assets: 0, applications: 1, teamsLed: 1 },
      remaining: 0,
    });
    const [task] = handed.tasks;
    expect(await finished(admin, task?.taskId ?? '')).toMatchObject({ result: { matched: 1, changed: 1 } });
    expect(await assigneeOf(own.id)).toBe(heir.id);
    expect(await assigneeOf(other.id)).toBeNull();
    expect(await admin.ok('getApplication', { params: { id: owned.id } })).toMatchObject({ ownerId: heir.id });
    expect(await admin.ok('getRemediation', { params: { id: plan.id } })).toMatchObject({ assigneeId: heir.id });
    expect(await admin.ok('getTeam', { params: { id: led.id } })).toMatchObject({ leadId: null });
    const after = await admin.ok('getBelongings', { params: { id: account.id } });
    expect(new Set(Object.values(after.assigned))).toEqual(new Set([0]));
    await admin.ok('undoFindingsUpdate', { params: { taskId: task?.taskId ?? '' }, query: { waitSeconds: 20 } });
    expect(await assigneeOf(own.id)).toBe(account.id);
  });

  test.each(['user', 'service account'])('hands everything over as they are deactivated: a %s', async (kind) => {
    const { id, end } = kind === 'user' ? await leavingUser() : await leavingAccount();
    const heir = await admin.ok('createTeam', { body: { name: `Heirs of the ${kind}` } });
    const led = await admin.ok('createTeam', { body: { name: `Led by the ${kind}`, leadId: id } });
    const assets = await Promise.all(
      ['one', 'two'].map((value) =>
        admin.ok('createAsset', { body: { type: 'host', value: `${newId()}.${value}.example`, ownerId: id } }),
      ),
    );
    const found = await newFinding();
    await admin.ok('updateFinding', { params: { id: found.id }, body: { assigneeId: id } });
    for (const nobody of [id, newId()])
      expect(await end(nobody)).toMatchObject({ status: 400, body: { details: [{ path: 'handOverTo' }] } });
    expect((await admin.ok('getBelongings', { params: { id } })).assigned).toMatchObject({ findings: 1, assets: 2 });

    const ended = await end(heir.id);
    expect(ended).toMatchObject({ status: 200, body: { id, remaining: 0 } });
    const task = await finished(admin, Object(ended.body).handOverTaskId);
    expect(task).toMatchObject({
      status: 'succeeded',
      result: { to: { id: heir.id }, tasks: [{ kind: 'findings', records: 1 }], moved: { assets: 2 }, remaining: 0 },
    });
    const [change] = Object(task.result).tasks;
    await finished(admin, change.taskId);
    expect(await assigneeOf(found.id)).toBe(heir.id);
    for (const asset of assets)
      expect(await admin.ok('getAsset', { params: { id: asset.id } })).toMatchObject({ ownerId: heir.id });
    expect(await admin.ok('getTeam', { params: { id: led.id } })).toMatchObject({ leadId: null });
    expect(new Set(Object.values((await admin.ok('getBelongings', { params: { id } })).assigned))).toEqual(
      new Set([0]),
    );
  });

  test('hands nothing to themselves, nor to somebody unknown', async () => {
    const { account } = await accountOf('viewer');
    for (const to of [account.id, newId()])
      expect(await admin.call('handOver', { params: { id: account.id }, body: { to } })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'to' }] },
      });
  });
});

test('records that were assigned before show the present name of a team and of a person', async () => {
  const own = await system.newOrganization();
  const ana = await own.person('analyst');
  const team = await own.admin.ok('createTeam', { body: { name: 'Payments' } });
  const { id: findingId } = await own.table.create(findings, findingDraft('2026-01-05T08:00:00.000Z'));
  await own.admin.ok('updateFinding', { params: { id: findingId }, body: { assigneeId: team.id } });
  const alert = await own.admin.ok('createAlert', {
    body: { title: 'Beacon', severity: 'high', assigneeId: ana.id },
  });
  const incident = await own.admin.ok('createIncident', {
    body: { title: 'Ransom', severity: 'high', assigneeId: team.id },
  });
  const remediation = await own.admin.ok('createRemediation', {
    body: { title: 'Patch', findingIds: [findingId], assigneeId: ana.id },
  });
  await own.admin.ok('updateTeam', { params: { id: team.id }, body: { name: 'Checkout' } });
  await ana.ok('updateMe', { body: { name: 'Ana Rocha' } });
  const [ofTeam, ofAna] = [
    { id: team.id, name: 'Checkout' },
    { id: ana.id, name: 'Ana Rocha' },
  ];
  const read = async (name: 'getFinding' | 'getAlert' | 'getIncident' | 'getRemediation', id: string) =>
    Object(await own.admin.ok(name, { params: { id } })).assignee;
  expect(await read('getFinding', findingId)).toEqual(ofTeam);
  expect(await read('getAlert', alert.id)).toEqual(ofAna);
  expect(await read('getIncident', incident.id)).toEqual(ofTeam);
  expect(await read('getRemediation', remediation.id)).toEqual(ofAna);
  const listed = async (name: 'listFindings' | 'listAlerts' | 'listIncidents' | 'listRemediations') =>
    Object((await own.admin.ok(name)).data[0]).assignee;
  expect(await listed('listFindings')).toEqual(ofTeam);
  expect(await listed('listAlerts')).toEqual(ofAna);
  expect(await listed('listIncidents')).toEqual(ofTeam);
  expect(await listed('listRemediations')).toEqual(ofAna);
});
