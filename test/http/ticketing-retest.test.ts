import { afterAll, beforeAll, expect, test } from 'vitest';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { system } from '../support/analyst.ts';
import { create } from '../support/engagements.ts';
import { hostReport, ssh, telnet } from '../support/host-report.ts';
import { type JiraServer, startJira } from '../support/jira/server.ts';
import { connectJira, openFor, ticketOf } from '../support/jira/tickets.ts';
import { addFinding } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

let jira: JiraServer;
beforeAll(async () => {
  jira = await startJira();
});
afterAll(() => jira.stop());

test('a done issue asks for a scan of its target, once, which a person approves and which proves the finding gone', async () => {
  const own = await system.newOrganization();
  const { admin } = own;
  await connectJira(own, jira);
  const scanner = await own.scanner();
  async function scan(ports: string) {
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 2 } });
    if (tasks.length === 0) return 0;
    const results = tasks.map(({ id: taskId }) => ({
      taskId,
      outcome: 'completed' as const,
      reports: [hostReport(ports)],
    }));
    const completed = await scanner.client.ok('completeScannerTasks', { body: { results } });
    expect((await finished(scanner.client, completed.taskId)).status).toBe('succeeded');
    return tasks.length;
  }
  const source = await create(admin, { targets: [{ type: 'cidr', value: '192.0.2.0/28' }] });
  await scan(ssh + telnet);
  const { data } = await admin.ok('listFindings', { query: { engagementId: source.id, severity: ['high'] } });
  const [finding] = data;
  if (!finding) throw new Error('the scan found nothing');
  await openFor(own, finding.id);
  const { id, issueKey } = await ticketOf(own, finding.id, { status: 'open', retestId: null });
  jira.move(issueKey ?? '', 'Done');
  for (const _ of [1, 2]) await finished(admin, (await admin.ok('syncTicket', { params: { id } })).taskId);
  const { retestId } = await ticketOf(own, finding.id, { awaitsProof: true, retestId: expect.any(String) });
  const params = { id: retestId ?? '' };
  expect(await admin.ok('getEngagement', { params })).toMatchObject({
    kind: 'retest',
    status: 'requested',
    requestedBy: { name: 'Jira' },
    targets: [{ type: 'cidr', value: '192.0.2.0/28' }],
    retestOf: { engagementId: source.id, findingIds: [finding.id] },
  });
  expect(await own.table.facets(engagements, true)).toMatchObject({ 'kind:retest': 1 });
  expect(await scan(ssh)).toBe(0);
  await admin.ok('approveEngagement', { params });
  await expect.poll(() => scan(ssh), { timeout: 20_000, interval: 200 }).toBe(1);
  await ticketOf(own, finding.id, { status: 'done', subjectStatus: 'fixed', awaitsProof: false });
});

test('findings of imports request no scan, and an issue that is opened again requests another one', async () => {
  const own = await system.newOrganization();
  await connectJira(own, jira);
  const finding = await addFinding(own.table, { severity: 'high' });
  await openFor(own, finding.id);
  const { id, issueKey } = await ticketOf(own, finding.id, { status: 'open' });
  const moved = async (status: 'Done' | 'In Progress') => {
    jira.move(issueKey ?? '', status);
    await finished(own.admin, (await own.admin.ok('syncTicket', { params: { id } })).taskId);
  };
  await moved('Done');
  await ticketOf(own, finding.id, { awaitsProof: true, retestId: null });
  await own.table.modify(tickets, id, () => ({ retestId: finding.id }));
  await moved('In Progress');
  await ticketOf(own, finding.id, { status: 'in_progress', retestId: null });
});
