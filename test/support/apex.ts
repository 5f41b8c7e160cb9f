import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { ApexCampaignCreate } from '#shared/entities/apex-campaign.ts';
import type { ApexTask, ApexTaskCreate } from '#shared/entities/apex-task.ts';
import { engagements } from '#shared/entities/engagement.ts';
import type { Client } from './client.ts';
import type { TestMachine, TestOrganization } from './system.ts';

/** An engagement in which appliances may work, on 10.0.0.0/24 and shop.example.com without 10.0.0.9. */
export async function openEngagement({ admin, table }: TestOrganization, allowExploitation = false): Promise<string> {
  const body = {
    title: 'Test of the shop',
    kind: 'penetration_test' as const,
    targets: [
      { type: 'host' as const, value: 'shop.example.com' },
      { type: 'cidr' as const, value: '10.0.0.0/24' },
    ],
    exclusions: [{ type: 'host' as const, value: '10.0.0.9' }],
    taskTypes: [],
    rulesOfEngagement: { allowExploitation },
  };
  const { taskId, resource } = await admin.ok('createEngagement', { body });
  await finished(admin, taskId);
  const id = resource?.id ?? '';
  await table.modify(engagements, id, ({ status }) =>
    status === 'scheduled' ? undefined : ({ status: 'scheduled' } as const),
  );
  return id;
}

export async function finished(client: Client, id: string) {
  for (;;) {
    const task = await client.ok('getTask', { params: { id }, query: { waitSeconds: 20 } });
    if (!['queued', 'running'].includes(task.status)) return task;
  }
}

type TaskWish = Partial<z.input<typeof ApexTaskCreate>>;

export const makeTask = ({ admin }: TestOrganization, engagementId: string, wish: TaskWish = {}): Promise<ApexTask> =>
  admin.ok('createApexTask', { body: { engagementId, type: 'reconnaissance', objective: 'Look around.', ...wish } });

type CampaignWish = Partial<z.input<typeof ApexCampaignCreate>>;

export const makeCampaign = ({ admin }: TestOrganization, engagementId: string, wish: CampaignWish = {}) =>
  admin.ok('createCampaign', {
    body: {
      name: 'Quarterly',
      objective: 'Show what an outsider reaches.',
      engagementId,
      taskTemplates: [{ key: 'recon', type: 'reconnaissance' as const }],
      ...wish,
    },
  });

/** Runs a campaign and waits until its tasks are made. */
export async function run({ admin }: TestOrganization, id: string): Promise<string> {
  const { taskId, resource } = await admin.ok('runCampaign', { params: { id } });
  const task = await finished(admin, taskId);
  if (task.status !== 'succeeded') throw new Error(`the run failed: ${JSON.stringify(task.error)}`);
  return resource?.id ?? '';
}

/** What an appliance gets with one poll. */
export async function take({ client }: TestMachine, capacity = 5) {
  const { tasks } = await client.ok('leaseApexTasks', { body: { capacity } });
  return tasks;
}

type Outcome = 'completed' | 'failed' | 'cancelled';

export async function end({ client }: TestMachine, taskId: string, outcome: Outcome = 'completed', more: object = {}) {
  const { results } = await client.ok('completeApexTasks', { body: { results: [{ taskId, outcome, ...more }] } });
  return results[0];
}

/** Asks until the answer is as wished; the test's own time limit ends it. */
export async function until<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    await sleep(50);
  }
}

/** An appliance's record, of which nothing was heard yet. */
export const applianceDraft = {
  name: 'appliance',
  zone: null,
  groupIds: [],
  tags: [],
  enabled: true,
  instanceId: null,
  softwareVersion: null,
  platform: null,
  hostname: null,
  status: 'never_connected' as const,
  lastSeenAt: null,
  public: false,
  taskTypes: [],
  capacity: null,
  maintenanceUntil: null,
  notes: null,
};

/** A file that an appliance uploads. @returns the upload's id */
export async function upload({ client }: TestMachine, text: string, isSent = true): Promise<string> {
  const content = Buffer.from(text);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const body = { sizeBytes: content.length, sha256, name: 'screen.png' };
  const { uploadId, parts } = await client.ok('createApexUpload', { body });
  const [part] = parts;
  if (isSent) await fetch(part?.url ?? '', { method: 'PUT', headers: part?.headers, body: content });
  return uploadId;
}
