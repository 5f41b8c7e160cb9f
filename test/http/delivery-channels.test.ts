import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { newDelivery } from '#shared/platform/outgoing/delivery.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import { system } from '../support/analyst.ts';
import { type Github, githubRepository, startGithub, TOKEN } from '../support/code-hosts/github.ts';
import { findingDraft } from '../support/findings.ts';
import { deliver } from '../support/github-delivery.ts';
import { type JiraServer, startJira } from '../support/jira/server.ts';
import { connectJira, openFor, ticketOf, told } from '../support/jira/tickets.ts';
import { lettersTo, letterTo, personIn } from '../support/people.ts';
import type { TestOrganization } from '../support/system.ts';
import { addFinding } from '../support/vulnerabilities.ts';
import { eventually, finished } from '../support/wait.ts';

let jira: JiraServer;
let hub: Github;
beforeAll(async () => {
  [jira, hub] = await Promise.all([startJira(), startGithub()]);
});
afterAll(() => Promise.all([jira.stop(), hub.stop()]));

const ledger = async ({ admin }: TestOrganization, query: object) =>
  (await admin.ok('listSentDeliveries', { query })).data;

/** The only delivery of a query, with its payload. */
async function onlyOne(own: TestOrganization, query: object) {
  const [one, ...others] = await ledger(own, query);
  if (!one || others.length > 0) throw new Error(`there are ${others.length + (one ? 1 : 0)} deliveries`);
  const params = { targetId: one.targetId, deliveryId: one.id };
  return { params, delivery: await own.admin.ok('getSentDelivery', { params }) };
}

describe('the ledger of Jira', () => {
  test('has each call with its body, and what Jira refuses is dead until it is sent again', async () => {
    const own = await system.newOrganization();
    const { id: targetId } = await connectJira(own, jira);
    const finding = await addFinding(own.table, { severity: 'critical', title: 'Default password' });
    await openFor(own, finding.id);
    const ticket = await ticketOf(own, finding.id, { status: 'open' });
    const { delivery } = await onlyOne(own, { channel: 'jira' });
    expect(delivery).toMatchObject({
      targetId,
      type: 'jira.issue',
      subject: `ticket/${ticket.id}`,
      status: 'sent',
      attempts: [{ error: null }],
      payload: { fields: { summary: '[critical] Default password', project: { key: 'SEC' } } },
    });

    jira.refuse({ method: 'POST', end: /\/comment$/, reply: { status: 403, body: { errorMessages: ['No.'] } } });
    await own.admin.ok('createFindingComment', { params: { id: finding.id }, body: { text: 'It is planned.' } });
    // a look at the ticket that begins meanwhile calls Jira, too, and is refused as well
    const dead = await eventually(async () => {
      await told(own);
      const [one] = await ledger(own, { type: 'jira.comment', status: 'failed,dead' });
      expect(one).toMatchObject({ status: 'dead' });
      return one as NonNullable<typeof one>;
    });
    const params = { targetId: dead.targetId, deliveryId: dead.id };
    const call = () => own.admin.ok('getSentDelivery', { params });
    expect((await call()).attempts).toMatchObject([
      { error: expect.stringContaining('The token does not allow this request') },
    ]);
    jira.refuse();
    await eventually(() => own.admin.ok('resendDelivery', { params }));
    await eventually(async () => {
      expect(await call()).toMatchObject({
        status: 'sent',
        attempts: [{ error: expect.any(String) }, { error: null }],
      });
    });
    expect(jira.issues.find(({ key }) => key === ticket.issueKey)?.comments).toHaveLength(1);
  });

  test('has a call as sent whose answer was lost when the retry finds it in Jira', async () => {
    const own = await system.newOrganization();
    await connectJira(own, jira);
    const finding = await addFinding(own.table, { severity: 'high' });
    await openFor(own, finding.id);
    const ticket = await ticketOf(own, finding.id, { status: 'open' });
    jira.loseAnswers = 1;
    await own.admin.ok('createFindingComment', { params: { id: finding.id }, body: { text: 'It is planned.' } });
    await eventually(async () => {
      await told(own);
      expect(await ledger(own, { type: 'jira.comment' })).toMatchObject([
        { status: 'sent', sentAt: expect.any(String), attempts: [{ error: expect.any(String) }] },
      ]);
    });
    expect(jira.issues.find(({ key }) => key === ticket.issueKey)?.comments).toHaveLength(1);
    expect(await ledger(own, { status: 'failed,dead' })).toEqual([]);
  });

  test('sends what was sent once more without writing it to Jira twice', async () => {
    const own = await system.newOrganization();
    const { id: targetId } = await connectJira(own, jira);
    const finding = await addFinding(own.table, { severity: 'high' });
    await openFor(own, finding.id);
    await ticketOf(own, finding.id, { status: 'open' });
    const count = jira.issues.length;
    const { params, delivery } = await onlyOne(own, { targetId });
    await eventually(() => own.admin.ok('resendDelivery', { params }));
    const [taskId = ''] = /^[0-9a-f-]{36}/.exec(delivery.id) ?? [];
    expect((await finished(own.admin, taskId)).status).toBe('succeeded');
    expect(jira.issues).toHaveLength(count);
  });
});

test('the ledger of a code host has each call; a refused one is dead and is sent again', async () => {
  const own = await system.newOrganization();
  hub.repositories.splice(0, 9, githubRepository(61, 'till'));
  const body = { kind: 'codehost_a', name: 'Hub', account: 'octo-shop', baseUrl: hub.url, token: TOKEN } as never;
  const created = await own.admin.ok('createIntegration', { body });
  const { id: targetId } = created;
  await finished(own.admin, (await own.admin.ok('syncIntegration', { params: { id: targetId } })).taskId);
  const { data } = await own.admin.ok('listCodehostARepos');
  const scanPolicy = { onPullRequest: true, taskTypes: ['sast'], failOn: 'high' };
  await own.admin.ok('updateCodehostARepo', { params: { id: data[0]?.id ?? '' }, body: { scanPolicy } as never });
  hub.refuse({ method: 'POST', end: /\/statuses\/\w+$/, reply: { status: 422, body: { message: 'No commit.' } } });
  const { heads: _heads, ...facts } = hub.repositories[0] ?? githubRepository(61, 'till');
  const head = { ref: 'fix', sha: 'e'.repeat(40), repo: { id: 61 } };
  const event = { action: 'opened', number: 9, pull_request: { head, base: { ref: 'main' } }, repository: facts };
  expect(await deliver(created, 'pull_request', event)).toMatchObject({ status: 200 });
  await eventually(async () => expect(await ledger(own, { targetId, status: 'dead' })).toHaveLength(1));
  hub.refuse();
  const { params, delivery } = await onlyOne(own, { targetId, status: 'dead' });
  expect(delivery).toMatchObject({
    channel: 'code_host',
    type: 'code_host.status',
    subject: expect.stringMatching(/^code-branch\//),
    payload: { state: 'pending' },
    attempts: [{ error: expect.stringContaining('No commit.') }],
  });
  await eventually(() => own.admin.ok('resendDelivery', { params }));
  await eventually(async () => expect(await ledger(own, { targetId })).toMatchObject([{ status: 'sent' }]));
});

test('a letter of a subscription is sent again with its lines', async () => {
  const own = await system.newOrganization();
  const ana = await personIn(system, own);
  const { id: targetId } = await own.admin.ok('createNotificationSubscription', {
    body: { name: 'Yours', types: ['finding.assigned'], channels: ['email'], to: { kind: 'assignee' } },
  });
  const before = (await lettersTo(system, ana.email)).length;
  const { id } = await own.table.create(findings, findingDraft(new Date().toISOString(), { title: 'Log4Shell' }));
  await own.admin.ok('updateFinding', { params: { id }, body: { assigneeId: ana.id } });
  await told(own);
  await eventually(async () => expect(await ledger(own, { targetId })).toMatchObject([{ status: 'sent' }]));
  const { params, delivery } = await onlyOne(own, { targetId });
  expect(delivery).toMatchObject({
    channel: 'email',
    type: 'notification.message',
    subject: `user/${ana.id}`,
    payload: { reason: 'Yours', lines: [{ text: expect.stringContaining('Log4Shell') }] },
  });
  await letterTo(system, ana.email, before + 1);
  await own.admin.ok('resendDelivery', { params });
  const again = await letterTo(system, ana.email, before + 2);
  expect(again.text).toContain('Log4Shell');
});

test('to recover leaves out deliveries that cannot be sent again, however many, and says how many', async () => {
  const own = await system.newOrganization();
  const { id: targetId } = await own.admin.ok('createWebhookEndpoint', {
    body: { name: 'Hooks', url: `${hub.url}/hook`, types: ['zone.created'] },
  });
  const since = new Date().toISOString();
  const failed = (n: number, payload: string | null) =>
    keepDelivery(own.table, {
      ...newDelivery({
        targetId,
        id: `${n}-zone.created`,
        channel: 'webhook',
        type: 'zone.created',
        subject: 'zone/1',
        payload,
      }),
      status: 'failed',
    });
  for (let n = 100; n < 205; n++) await failed(n, null);
  await failed(205, '{}');
  expect(await own.admin.ok('recoverDeliveries', { body: { targetId, since } })).toEqual({
    queued: 1,
    skipped: 105,
    next: null,
  });
  for (let n = 300; n < 402; n++) await failed(n, '{}');
  const first = await own.admin.ok('recoverDeliveries', { body: { targetId, since } });
  expect(first).toMatchObject({ queued: 100, next: expect.any(String) });
  const second = await own.admin.ok('recoverDeliveries', { body: { targetId, since: first.next ?? '' } });
  expect(second).toEqual({ queued: expect.any(Number), skipped: 0, next: null });
  expect(second.queued).toBeLessThanOrEqual(3);
});

test('to recover goes on behind a thousand deliveries of one millisecond that cannot be sent again', async () => {
  const own = await system.newOrganization();
  const { id: targetId } = await own.admin.ok('createWebhookEndpoint', {
    body: { name: 'Hooks', url: `${hub.url}/hook`, types: ['zone.created'] },
  });
  const since = new Date().toISOString();
  const rows = Array.from({ length: 1002 }, (_, n) => ({
    ...newDelivery({
      targetId,
      id: `${1000 + n}-zone.created`,
      channel: 'webhook',
      type: 'zone.created',
      subject: 'zone/1',
      payload: n < 1001 ? null : '{}',
    }),
    createdAt: since,
    status: 'failed' as const,
  }));
  for (let n = 0; n < rows.length; n += 100)
    await Promise.all(rows.slice(n, n + 100).map((row) => keepDelivery(own.table, row)));
  const first = await own.admin.ok('recoverDeliveries', { body: { targetId, since } });
  expect(first).toEqual({ queued: 0, skipped: 1000, next: `${since}_${targetId}_2000-zone.created` });
  expect(await own.admin.ok('recoverDeliveries', { body: { targetId, since: first.next ?? '' } })).toEqual({
    queued: 1,
    skipped: 1,
    next: null,
  });
  const refused = await own.admin.send('POST', '/api/v1/deliveries/recover', {
    body: { targetId, since: 'yesterday' },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      message: expect.stringContaining(
        'since: must be an RFC 3339 time such as 2026-01-15T08:00:00Z, or a date; or must be `next`',
      ),
    },
  });
});
