import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../support/analyst.ts';
import { JIRA_TOKEN, type JiraServer, startJira } from '../support/jira/server.ts';
import { connectJira } from '../support/jira/tickets.ts';

let jira: JiraServer;
beforeAll(async () => {
  jira = await startJira();
});
afterAll(() => jira.stop());

describe('a connection', () => {
  test('to Jira Cloud is asked at once, and shows no token', async () => {
    const own = await system.newOrganization();
    const created = await connectJira(own, jira);
    expect(created).toMatchObject({ status: 'connected', access: 'token', error: null });
    expect(JSON.stringify(created)).not.toContain(JIRA_TOKEN);
    const tested = await own.admin.ok('testTicketingConnection', { params: { id: created.id } });
    expect(tested).toEqual({ works: true, identity: 'Exposure Bot', error: null });
  });

  test('whose token is refused says so, there and on the dashboards, until a better token mends it', async () => {
    const own = await system.newOrganization();
    const { id, ...created } = await connectJira(own, jira, { token: 'wrong' });
    expect(created).toMatchObject({ status: 'failed', error: { code: 'token_refused' } });
    expect(await own.admin.ok('getIntegrationsSummary')).toMatchObject({
      total: 1,
      byKind: { ticketing: 1 },
      byStatus: { failed: 1 },
      failing: [{ id, kind: 'ticketing' }],
    });
    const mended = await own.admin.ok('updateTicketingConnection', {
      params: { id },
      body: { token: JIRA_TOKEN } as never,
    });
    expect(mended).toMatchObject({ status: 'connected', error: null });
    const off = await own.admin.ok('updateTicketingConnection', { params: { id }, body: { enabled: false } as never });
    expect(off).toMatchObject({ status: 'disabled' });
    expect(await own.admin.ok('getTicketingSummary')).toMatchObject({ enabled: false, connections: 1 });
    await own.admin.ok('deleteTicketingConnection', { params: { id } });
    expect(await own.admin.ok('getTicketingSummary')).toMatchObject({ enabled: false, connections: 0, total: 0 });
  });

  test('is not made with a token that breaks the line of its header', async () => {
    const own = await system.newOrganization();
    const body = { name: 'Jira', edition: 'data_center', baseUrl: jira.url, token: 'first-line\nsecond-line' } as never;
    const { status, body: answer } = await own.admin.call('createTicketingConnection', { body });
    expect({ status, answer }).toMatchObject({ status: 400, answer: { details: [{ path: 'token' }] } });
    expect(JSON.stringify(answer)).not.toContain('first-line');
  });

  test('to Cloud needs the mail address of its token', async () => {
    const own = await system.newOrganization();
    const body = { name: 'Jira', edition: 'cloud', baseUrl: jira.url, token: JIRA_TOKEN } as never;
    expect(await own.admin.call('createTicketingConnection', { body })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'account' }] },
    });
  });
});
