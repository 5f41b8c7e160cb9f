import { afterEach, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { startServer } from '../support/code-hosts/server.ts';
import { findingDraft } from '../support/findings.ts';
import { lettersTo, letterTo, personIn } from '../support/people.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();
afterEach(() => setClock());

/** Runs the sweeper half a minute after the next time of a schedule, and waits for the task of its report. */
async function dueNext({ admin, organizationId }: TestOrganization, id: string) {
  const { nextAt } = await admin.ok('getReportSchedule', { params: { id } });
  const at = Date.parse(nextAt ?? '');
  setClock(() => at + 30_000);
  await work(system.connections, placedTimer({ at, kind: 'report', organizationId, id }));
  setClock();
  const { data } = await admin.ok('listTasks', { query: { operation: 'make_report', limit: 1 } });
  return finished(admin, data[0]?.id ?? '');
}

async function runNext(organization: TestOrganization, id: string) {
  const task = await dueNext(organization, id);
  expect(task.status).toBe('succeeded');
  return task.result as { reportId: string; kept: boolean };
}

test('people, teams and roles get one letter each with the link and no figure; the ledger of the report names the letters', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  await table.create(findings, findingDraft(now(), { title: 'secret title', severity: 'critical' }));
  const named = await personIn(system, organization, { name: 'Ana Lima' });
  const member = await personIn(system, organization, { name: 'Bo Chen' });
  const auditor = await personIn(system, organization, { name: 'Cy Dean', role: 'auditor' });
  const { id: teamId } = await admin.ok('createTeam', { body: { name: 'Board', memberIds: [member.id, named.id] } });
  const { id: templateId } = await admin.ok('createReportTemplate', { body: { name: 'Board', kind: 'technical' } });
  const recipients = { userIds: [named.id], teamIds: [teamId], roleIds: ['auditor'] };
  const times = { startAt: '2099-01-01T07:00:00Z', recurrence: 'FREQ=MONTHLY', onlyIfChanged: true };
  const { id } = await admin.ok('createReportSchedule', {
    body: { name: 'Monthly', templateId, recipients, ...times },
  });

  const { reportId, kept } = await runNext(organization, id);
  expect(kept).toBe(true);
  const report = await admin.ok('getReport', { params: { id: reportId } });
  expect(report.deliveries.map(({ user }) => user.name).sort()).toEqual(['Ana Lima', 'Bo Chen', 'Cy Dean']);
  for (const { taskId } of report.deliveries) expect((await finished(admin, taskId)).status).toBe('succeeded');
  const isAbout = ({ subject }: { subject?: string | undefined }) => subject?.startsWith('Report: ') === true;
  for (const { email } of [named, member, auditor]) {
    const letters = (
      await until(
        () => lettersTo(system, email),
        (found) => found.some(isAbout),
      )
    ).filter(isAbout);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.text).toContain(`/reports/${reportId}`);
    expect(letters[0]?.attachments).toEqual([]);
    expect(letters[0]?.text).not.toMatch(/secret title|critical/i);
  }

  // nothing has changed: the second report is not kept, and nobody hears of it
  expect(await runNext(organization, id)).toMatchObject({ kept: false });
  expect((await admin.ok('listReports', { query: { scheduleId: id } })).totalCount).toBe(1);
  expect((await admin.ok('getReportSchedule', { params: { id } })).lastRun).toMatchObject({ reportId: null });

  await table.create(findings, findingDraft(now(), { severity: 'high' }));
  expect(await runNext(organization, id)).toMatchObject({ kept: true });
  await letterTo(system, named.email, (await lettersTo(system, named.email)).length);
  expect((await admin.ok('listReports', { query: { scheduleId: id } })).totalCount).toBe(2);
});

test('a schedule keeps the hour of its zone when summer time begins and ends', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const template = await admin.ok('createReportTemplate', { body: { name: 'Board', kind: 'accepted_risks' } });
  // 8:00 in Berlin, an hour after UTC in March and November, two hours after it in July
  const times = { startAt: '2099-03-01T07:00:00Z', recurrence: 'FREQ=MONTHLY;INTERVAL=4', timeZone: 'Europe/Berlin' };
  const body = { name: 'Each third of a year', templateId: template.id, ...times };
  const { id, nextAt } = await admin.ok('createReportSchedule', { body });
  const next = [nextAt];
  for (let n = 0; n < 2; n++) {
    await runNext(organization, id);
    next.push((await admin.ok('getReportSchedule', { params: { id } })).nextAt);
  }
  const shown = next.map((time) => new Date(time ?? '').toISOString());
  expect(shown).toEqual(['2099-03-01T07:00:00.000Z', '2099-07-01T06:00:00.000Z', '2099-11-01T07:00:00.000Z']);
});

test('a report that cannot be made says why, has no file, and its schedule goes on', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id: applicationId } = await admin.ok('createApplication', { body: { name: 'Web shop' } });
  const about = { name: 'Web shop', kind: 'application' as const, applicationId };
  const { id: templateId } = await admin.ok('createReportTemplate', { body: about });
  const times = { startAt: '2099-01-01T07:00:00Z', recurrence: 'FREQ=MONTHLY' };
  const { id } = await admin.ok('createReportSchedule', { body: { name: 'Monthly', templateId, ...times } });
  await admin.ok('deleteApplication', { params: { id: applicationId } });
  const task = await dueNext(organization, id);
  expect(task).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  const { lastRun, nextAt } = await admin.ok('getReportSchedule', { params: { id } });
  expect(nextAt).toBe('2099-02-01T07:00:00.000Z');
  const params = { id: lastRun?.reportId ?? '' };
  const error = { code: 'not_found', message: expect.stringContaining(applicationId) };
  expect(await admin.ok('getReport', { params })).toMatchObject({
    status: 'failed',
    error,
    tables: [],
    deliveries: [],
  });
  expect(await admin.call('getReportFile', { params, query: {} })).toMatchObject({ body: { code: 'conflict' } });
});

test('an endpoint that a schedule names gets its reports and no others, whatever types it takes', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const receiver = await startServer(() => ({ status: 200 }));
  const types = ['zone.created'];
  const endpoint = (path: string) =>
    admin.ok('createWebhookEndpoint', { body: { name: path, url: `${receiver.url}/${path}`, types } });
  const [named, other] = [await endpoint('named'), await endpoint('other')];
  const { id: templateId } = await admin.ok('createReportTemplate', { body: { name: 'Board', kind: 'compliance' } });
  const times = { startAt: '2099-01-01T07:00:00Z', recurrence: 'FREQ=MONTHLY' };
  const body = { name: 'Monthly', templateId, ...times };
  const refused = await admin.call('createReportSchedule', {
    body: { ...body, recipients: { endpointIds: [templateId] } },
  });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'recipients.endpointIds.0' }] } });
  const { id } = await admin.ok('createReportSchedule', {
    body: { ...body, recipients: { endpointIds: [named.id] } },
  });
  const unnamed = await admin.ok('generateReport', { body: { kind: 'compliance' } });
  await finished(admin, unnamed.taskId);
  const { reportId } = await runNext(organization, id);
  expect((await admin.ok('getReport', { params: { id: reportId } })).endpointIds).toEqual([named.id]);
  await wakeViews(system.connections, organization.table, newId());
  await until(
    async () => receiver.asked,
    (asked) => asked.length > 0,
  );
  await admin.ok('createZone', { body: { name: 'last', cidrs: [] } });
  await wakeViews(system.connections, organization.table, newId());
  const told = await until(
    async () => receiver.asked.map(({ path, body: { type, subject } }) => ({ path, type, subject })),
    (asked) => asked.filter(({ type }) => type === 'zone.created').length === 2,
  );
  expect(told.filter(({ type }) => type !== 'zone.created')).toEqual([
    { path: '/named', type: 'report.ready', subject: `report/${reportId}` },
  ]);
  expect((await admin.ok('listSentDeliveries', { query: { targetId: other.id } })).data).toHaveLength(1);
  await receiver.stop();
});

test('a report of a saved filter keeps what the filter is when it is made', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  for (const severity of ['critical', 'low'] as const)
    await table.create(findings, findingDraft(now(), { title: `of ${severity}`, severity }));
  const saved = { name: 'Board', entity: 'finding' as const, visibility: 'shared' as const };
  const { id: filterId } = await admin.ok('createSavedFilter', { body: { ...saved, filter: 'severity:critical' } });
  const both = await admin.call('generateReport', { body: { kind: 'technical', filterId, filter: 'kev:true' } });
  expect(both).toMatchObject({ status: 400, body: { details: [{ path: 'filterId' }] } });
  const { id: templateId } = await admin.ok('createReportTemplate', {
    body: { name: 'Board', kind: 'technical', filterId },
  });
  const made = async () => {
    const { taskId, resource } = await admin.ok('generateReportOfTemplate', { params: { id: templateId } });
    expect((await finished(admin, taskId)).status).toBe('succeeded');
    const params = { id: resource?.id ?? '' };
    const { url } = await admin.ok('getReportFile', { params, query: { format: 'csv', table: 'findings' } });
    return { ...(await admin.ok('getReport', { params })), text: await (await fetch(url)).text() };
  };
  const first = await made();
  expect(first).toMatchObject({ filterId, filter: 'severity:critical' });
  expect([first.text.includes('of critical'), first.text.includes('of low')]).toEqual([true, false]);
  await admin.ok('updateSavedFilter', { params: { id: filterId }, body: { filter: 'severity:low' } });
  const second = await made();
  expect(second).toMatchObject({ filterId, filter: 'severity:low' });
  expect([second.text.includes('of critical'), second.text.includes('of low')]).toEqual([false, true]);
  expect(await admin.ok('getReport', { params: { id: first.id } })).toMatchObject({ filter: 'severity:critical' });
});

test('a person with a part makes reports of the part and sees no report of the whole', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const { id: shop } = await admin.ok('createApplication', { body: { name: 'Shop' } });
  await table.create(findings, findingDraft(now(), { title: 'of the shop', applicationIds: [shop] }));
  await table.create(findings, findingDraft(now(), { title: 'of the bank' }));
  const made = async (client: typeof admin) => {
    const { taskId, resource } = await client.ok('generateReport', { body: { kind: 'technical' } });
    expect((await finished(client, taskId)).status).toBe('succeeded');
    const id = resource?.id ?? '';
    const { url } = await client.ok('getReportFile', { params: { id }, query: { format: 'csv', table: 'findings' } });
    return { id, text: await (await fetch(url)).text() };
  };
  const whole = await made(admin);
  expect(whole.text).toContain('of the bank');
  const person = await organization.person('analyst', { applicationIds: [shop] });
  const own = await made(person);
  expect(own.text).toContain('of the shop');
  expect(own.text).not.toContain('of the bank');
  expect((await person.ok('listReports', { query: {} })).data.map(({ id }) => id)).toEqual([own.id]);
  expect(await person.call('getReport', { params: { id: whole.id } })).toMatchObject({ status: 400 });
  expect(await person.call('getReportFile', { params: { id: whole.id }, query: {} })).toMatchObject({ status: 400 });
  expect(await person.call('generateReport', { body: { kind: 'audit_log' } })).toMatchObject({ status: 401 });
});

test('the report of a test has its scope and its findings with their texts', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const { resource } = await admin.ok('createEngagement', {
    body: {
      title: 'Test of the shop',
      kind: 'vulnerability_scan',
      taskTypes: ['network'],
      targets: [{ type: 'host', value: '10.1.2.3' }],
    },
  });
  const engagementId = resource?.id ?? '';
  const texts = { description: 'Anybody reads orders.', remediation: 'Compare the owner.' };
  await table.create(findings, findingDraft(now(), { title: 'Orders of others', engagementId, ...texts }));
  await table.create(findings, findingDraft(now(), { title: 'Of no test' }));
  const { taskId, resource: report } = await admin.ok('generateReport', { body: { kind: 'engagement', engagementId } });
  expect((await finished(admin, taskId)).status).toBe('succeeded');
  const { url } = await admin.ok('getReportFile', { params: { id: report?.id ?? '' }, query: { format: 'html' } });
  const html = await (await fetch(url)).text();
  for (const text of ['10.1.2.3', 'High: Orders of others', texts.description, texts.remediation])
    expect(html).toContain(text);
  expect(html).not.toContain('Of no test');
});
