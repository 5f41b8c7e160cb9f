import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { system } from '../support/analyst.ts';
import { type JiraServer, signedBy, startJira } from '../support/jira/server.ts';
import { connectJira, openFor, ticketOf, told } from '../support/jira/tickets.ts';
import type { TestOrganization } from '../support/system.ts';
import { addFinding, log4j } from '../support/vulnerabilities.ts';
import { eventually } from '../support/wait.ts';

let jira: JiraServer;
beforeAll(async () => {
  jira = await startJira();
});
afterAll(() => jira.stop());

const connect = (own: TestOrganization, more: object = {}) => connectJira(own, jira, more);

const rule = (more: object = {}) =>
  ({
    name: 'critical',
    opensFor: 'finding',
    project: 'SEC',
    conditions: { severities: ['critical'] },
    ...more,
  }) as never;

const issueOf = (key: string | null) => jira.issues.find((issue) => issue.key === key);

describe('a finding that a rule meets', () => {
  test('has one ticket that follows it to the end, and back', async () => {
    const own = await system.newOrganization();
    await connect(own, { edition: 'data_center', account: null });
    await own.admin.ok('createTicketRule', { body: rule({ fields: { customfield_1: 'on {{asset}}' } }) });
    const finding = await addFinding(own.table, { severity: 'critical', title: 'Default password {code}' });
    await addFinding(own.table, { severity: 'low' });
    const ticket = await ticketOf(own, finding.id, {
      status: 'open',
      issueStatus: 'To Do',
      ruleId: expect.any(String),
    });
    expect(issueOf(ticket.issueKey)?.fields).toMatchObject({
      summary: '[critical] Default password {code}',
      issuetype: { name: 'Task' },
      customfield_1: `on ${finding.asset.name}`,
    });
    expect(await own.admin.ok('listTickets')).toMatchObject({ totalCount: 1 });
    const shown = await own.admin.ok('getFinding', { params: { id: finding.id } });
    expect(shown.links).toMatchObject({ ticket: `/api/v1/ticketing/tickets/${ticket.id}` });

    await own.admin.ok('updateFinding', {
      params: { id: finding.id },
      body: { status: 'fixed', reason: 'It is patched.' } as never,
    });
    await ticketOf(own, finding.id, { status: 'done', subjectStatus: 'fixed', awaitsProof: false });
    expect(issueOf(ticket.issueKey)?.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^The problem is fixed\. It is patched\./),
    ]);
    await own.admin.ok('updateFinding', { params: { id: finding.id }, body: { status: 'open' } as never });
    await ticketOf(own, finding.id, { status: 'open', issueStatus: 'To Do', resolvedAt: null });
    expect(await own.admin.ok('getTicketingSummary')).toMatchObject({
      enabled: true,
      connections: 1,
      total: 1,
      open: 1,
      created7d: 1,
      resolved7d: 0,
      syncErrors: 0,
      byStatus: { open: 1 },
      byPriority: { critical: 1 },
      lastSyncAt: expect.any(String),
    });
  });

  test('stays open when its issue is done, until a scan proves it, and says why', async () => {
    const own = await system.newOrganization();
    const { webhookUrl, webhookSecret, id } = await connect(own);
    const finding = await addFinding(own.table, { severity: 'critical' });
    const { results } = await openFor(own, finding.id);
    expect(results).toMatchObject([{ accepted: true, isNew: true }]);
    expect((await openFor(own, finding.id)).results).toMatchObject([{ accepted: true, isNew: false }]);
    const ticket = await ticketOf(own, finding.id, { status: 'open', ruleId: null });
    const issue = issueOf(ticket.issueKey);
    jira.move(ticket.issueKey ?? '', 'Done');
    jira.say(ticket.issueKey ?? '', 'The new version is out.');
    const event = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: { id: issue?.id, key: issue?.key } });
    const deliveryId = randomUUID();
    const deliver = (secret: string, name = deliveryId) =>
      fetch(webhookUrl, { method: 'POST', body: event, headers: signedBy(secret, event, name) }).then(
        (answer) => answer.status,
      );
    expect(await deliver('another secret')).toBe(401);
    expect(await deliver(webhookSecret)).toBe(200);
    expect(await deliver(webhookSecret)).toBe(200);
    expect(await deliver(webhookSecret, randomUUID())).toBe(401);
    await ticketOf(own, finding.id, { status: 'done', awaitsProof: true, subjectStatus: 'in_progress' });
    expect(await own.admin.ok('getFinding', { params: { id: finding.id } })).toMatchObject({
      status: 'in_progress',
      statusReason: `${ticket.issueKey} is Done in Jira: a scan must prove it`,
    });
    const comments = await own.admin.ok('listFindingComments', { params: { id: finding.id } });
    expect(comments.data).toMatchObject([
      { text: 'The new version is out.', createdBy: { kind: 'system', name: `Jane Doe (${ticket.issueKey})` } },
    ]);
    const { data: deliveries } = await own.admin.ok('listTicketingDeliveries', { params: { id } });
    expect(deliveries).toMatchObject([{ event: 'jira:issue_updated', outcome: { outcome: 'handled' } }]);
    const [delivered] = deliveries;
    const asked = { params: { id, deliveryId: delivered?.deliveryId ?? '' } };
    expect(await own.admin.ok('getTicketingDelivery', asked)).toEqual(delivered);
    await own.admin.ok('createFindingComment', { params: { id: finding.id }, body: { text: 'Scan is planned.' } });
    await own.admin.ok('createTicketComment', { params: { id: ticket.id }, body: { text: 'Thank you!' } });
    await eventually(async () => {
      await told(own);
      expect(issue?.comments).toHaveLength(3);
    });
    await own.admin.ok('syncTicket', { params: { id: ticket.id } });
    await eventually(async () => {
      const { data } = await own.admin.ok('listTicketComments', { params: { id: ticket.id } });
      expect(data.map(({ externalId }) => typeof externalId)).toEqual(['string', 'string', 'string']);
    });
    expect(issue?.comments).toHaveLength(3);

    // a comment is edited where it was written, and follows on the other side
    const [, planned] = (await own.admin.ok('listFindingComments', { params: { id: finding.id } })).data.toReversed();
    const params = { id: finding.id, commentId: planned?.id ?? '' };
    await own.admin.ok('updateFindingComment', { params, body: { text: 'Scan is done.' } });
    const [jane] = issue?.comments ?? [];
    jira.edit(issue?.key ?? '', jane?.id ?? '', 'The newer version is out.');
    await eventually(async () => {
      await told(own);
      expect(JSON.stringify(issue?.comments)).toContain('Scan is done.');
      const { data } = await own.admin.ok('listFindingComments', { params: { id: finding.id } });
      expect(data.map(({ text }) => text)).toContain('The newer version is out.');
    });
    expect(JSON.stringify(issue?.comments)).not.toContain('Scan is planned.');
    expect(issue?.comments).toHaveLength(3);
  });
});

test('a vulnerability on two assets has two tickets, and the upgrade that closes both has one', async () => {
  const own = await system.newOrganization();
  await connect(own);
  const conditions = { kev: undefined, advisory: 'cve-2021-44228' };
  await own.admin.ok('createTicketRule', { body: rule({ opensFor: 'vulnerability', conditions }) });
  await own.admin.ok('createTicketRule', { body: rule({ opensFor: 'fix', conditions, issueType: 'Bug' }) });
  const assets = ['one', 'two'].map((name) => ({ id: newId(), type: 'host' as const, name, zone: null }));
  const made: StoredFinding[] = [];
  for (const asset of assets) made.push(await addFinding(own.table, log4j({ asset })));
  const listed = await eventually(async () => {
    await told(own);
    const { data } = await own.admin.ok('listTickets');
    expect(data.map(({ subject, status }) => `${subject.type} ${status}`).toSorted()).toEqual([
      'fix open',
      'vulnerability open',
      'vulnerability open',
    ]);
    return data;
  });
  const fix = listed.find(({ subject }) => subject.type === 'fix');
  const [moved] = listed.filter(({ subject }) => subject.type === 'vulnerability');
  jira.move(moved?.issueKey ?? '', 'In Progress');
  await own.admin.ok('syncTicket', { params: { id: moved?.id ?? '' } });
  await eventually(async () => {
    const one = await own.admin.ok('getVulnerability', { params: { id: moved?.subject.id ?? '' } });
    expect(one).toMatchObject({ status: 'in_progress', links: { ticket: `/api/v1/ticketing/tickets/${moved?.id}` } });
  });
  for (const { id } of made)
    await own.admin.ok('updateFinding', { params: { id }, body: { status: 'fixed', reason: 'upgraded' } as never });
  await eventually(async () => {
    await told(own);
    const { data } = await own.admin.ok('listTickets', { query: { status: 'done' } as never });
    expect(data).toHaveLength(3);
  });
  expect(issueOf(fix?.issueKey ?? null)?.status).toBe('Done');
  expect(await own.table.list(findings, { paginateFrom: 0, paginateSize: 1 })).toMatchObject({ totalCount: 2 });
});

describe('a ticket that Jira refuses', () => {
  test('says why, is counted, and is opened when the reason is mended', async () => {
    const own = await system.newOrganization();
    await connect(own);
    const preview = await own.admin.ok('previewTicketRule', { body: rule({ issueType: 'Epic' }) });
    expect(preview.problems).toEqual(['The project SEC has no issues of the type Epic, but Task, Bug.']);
    const finding = await addFinding(own.table, { severity: 'critical' });
    const { links, ...counts } = await own.admin.ok('previewTicketRule', { body: rule() });
    expect(counts).toMatchObject({ examined: 1, isComplete: true, matched: 1, withoutTicket: 1, problems: [] });
    const filter = new URL(links.list ?? '', 'http://x').searchParams.get('filter') ?? '';
    expect((await own.admin.ok('listFindings', { query: { filter } })).data).toMatchObject([{ id: finding.id }]);
    await openFor(own, finding.id, 'NOPE');
    const refused = {
      status: 'pending',
      issueKey: null,
      error: { code: 'unexpected_answer', message: expect.stringContaining('valid project') },
    };
    const ticket = await ticketOf(own, finding.id, refused);
    expect(await own.admin.ok('getTicketingSummary')).toMatchObject({ syncErrors: 1, open: 1 });
    expect(await own.admin.ok('listTickets', { query: { failing: true } as never })).toMatchObject({
      data: [{ id: ticket.id }],
    });
    expect((await openFor(own, newId())).results).toMatchObject([{ accepted: false, code: 'not_found' }]);
  });

  test('because no status leads there is reported, and the comment is written', async () => {
    const own = await system.newOrganization();
    await connect(own);
    const finding = await addFinding(own.table, { severity: 'critical' });
    await openFor(own, finding.id);
    const { issueKey } = await ticketOf(own, finding.id, { status: 'open' });
    jira.blocked.push('Done');
    await own.admin.ok('updateFinding', {
      params: { id: finding.id },
      body: { status: 'fixed', reason: 'done' } as never,
    });
    await ticketOf(own, finding.id, { status: 'open', subjectStatus: 'fixed', error: { code: 'no_transition' } });
    expect(issueOf(issueKey)?.comments).toHaveLength(1);
    jira.blocked.length = 0;
  });
});

test('issues that moved while no event came are found by the poll', async () => {
  const own = await system.newOrganization();
  const { id } = await connect(own);
  const finding = await addFinding(own.table, { severity: 'critical' });
  await openFor(own, finding.id);
  const { issueKey } = await ticketOf(own, finding.id, { status: 'open' });
  jira.move(issueKey ?? '', 'In Progress');
  const later = nowMs() + 6 * 60_000;
  setClock(() => later);
  await sweep(system.connections);
  setClock();
  await ticketOf(own, finding.id, { status: 'in_progress', issueStatus: 'In Progress' });
  expect(await own.admin.ok('getTicketingConnection', { params: { id } })).toMatchObject({
    lastSyncAt: expect.any(String),
  });
});
