import { expect } from 'vitest';
import type { Client } from './client.ts';
import { nmapReport } from './recorded.ts';
import type { TestMachine, TestOrganization, TestSystem } from './system.ts';
import { finished } from './wait.ts';

/** The least fields with which an engagement is scanned. */
export const scan = {
  title: 'Scan of the office',
  kind: 'vulnerability_scan' as const,
  targets: [{ type: 'host' as const, value: '10.1.2.3' }],
  taskTypes: ['network' as const],
};

/** Creates one, and waits until its task is done. */
export async function create(client: Client, more: object = {}) {
  const queued = await client.ok('createEngagement', { body: { ...scan, ...more } });
  const task = await finished(client, queued.taskId);
  return { id: queued.resource?.id ?? '', queued, task, result: task.result ?? {} };
}

/** An engagement on these hosts and ranges, whose tasks are made. */
export async function engage({ admin }: TestOrganization, values: string[], more: object = {}) {
  const targets = values.map((value) => ({ type: value.includes('/') ? 'cidr' : 'host', value }));
  const made = await create(admin, { targets, ...more });
  expect(made.task.status).toBe('succeeded');
  return made;
}

/** A scanner takes a task on 127.0.0.1 and completes it with a recorded report, whose findings are stored then. */
export async function scanLocalhost({ client }: TestMachine): Promise<void> {
  const { tasks } = await client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports: [nmapReport] }];
  const { taskId } = await client.ok('completeScannerTasks', { body: { results } });
  expect((await finished(client, taskId)).status).toBe('succeeded');
}

/** The engagement that an administrator sees. */
export const read = ({ admin }: TestOrganization, id: string) => admin.ok('getEngagement', { params: { id } });

type Named = { name: string; role: string; email?: string; skills?: string[] };

/** A service account made by whoever may, and a client that is logged in as it. */
export async function newAccount(system: TestSystem, maker: Client, body: Named) {
  const { clientSecret, ...account } = await maker.ok('createServiceAccount', { body });
  const form = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: clientSecret };
  const answer = await system.client().send('POST', '/api/v1/oauth/token', { body: form });
  const token = Object(answer.body).access_token as string;
  return { account, client: system.client(() => token) };
}
