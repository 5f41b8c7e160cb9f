import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { ApexCampaignCreate } from '#shared/apex/apex-campaign.ts';
import type { ApexTask, ApexTaskCreate } from '#shared/apex/apex-task.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import type { TestMachine, TestOrganization, TestSystem } from './system.ts';
import { finished } from './wait.ts';

/** An engagement in which appliances may work, on a network (10.0.0.0/24) and shop.example.com without its address 9. */
export async function openEngagement(
  { admin, table }: TestOrganization,
  allowExploitation = false,
  network = '10.0.0',
): Promise<string> {
  const body = {
    title: 'Test of the shop',
    kind: 'penetration_test' as const,
    targets: [
      { type: 'host' as const, value: 'shop.example.com' },
      { type: 'cidr' as const, value: `${network}.0/24` },
    ],
    exclusions: [{ type: 'host' as const, value: `${network}.9` }],
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

export const readCampaign = ({ admin }: TestOrganization, id: string) => admin.ok('getCampaign', { params: { id } });

export const template = (key: string, more: object = {}) => ({
  key,
  title: key,
  type: 'reconnaissance' as const,
  ...more,
});

/** A diamond: a before b and c, both before d. */
export const diamond = [
  template('d', { dependsOn: ['b', 'c'] }),
  template('b', { dependsOn: ['a'] }),
  template('c', { dependsOn: ['a'] }),
  template('a'),
];

/** An organization with an engagement in which its appliances may work. */
export async function withAppliances(system: TestSystem, appliances = 1) {
  const organization = await system.newOrganization();
  const engagementId = await openEngagement(organization);
  const machines = await Promise.all(Array.from({ length: appliances }, () => organization.machine('apex')));
  const [appliance = await organization.machine('apex')] = machines;
  return { organization, admin: organization.admin, engagementId, appliance, machines };
}

/** Runs a campaign and waits until its tasks are made. */
export async function run({ admin }: TestOrganization, id: string): Promise<string> {
  const { taskId, resource } = await admin.ok('runCampaign', { params: { id } });
  const task = await finished(admin, taskId);
  if (task.status !== 'succeeded') throw new Error(`the run failed: ${JSON.stringify(task.error)}`);
  return resource?.id ?? '';
}

/** The tasks that an appliance gets with one poll. */
export async function take({ client }: TestMachine, capacity = 5) {
  const { tasks } = await client.ok('leaseApexTasks', { body: { capacity } });
  return tasks;
}

type Outcome = 'completed' | 'failed' | 'cancelled';

export async function end({ client }: TestMachine, taskId: string, outcome: Outcome = 'completed', more: object = {}) {
  const { results } = await client.ok('completeApexTasks', { body: { results: [{ taskId, outcome, ...more }] } });
  return results[0];
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
