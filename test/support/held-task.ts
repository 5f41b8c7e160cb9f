import { type ApexTask, apexTasks, noFindings, noUsage } from '#shared/apex/apex-task.ts';
import { readApexPresence, saveApexPresence } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A running task whose lease this appliance holds, as the record and the presence say. */
export async function giveTask(table: Table, applianceId: string, more: Partial<ApexTask> = {}): Promise<ApexTask> {
  const task = await table.create(apexTasks, { ...draft(applianceId), ...more });
  const before = await readApexPresence(table, applianceId);
  if (!before) throw new Error(`no appliance ${applianceId}`);
  const until = nowMs() + 600_000;
  const { engagementId, runId, attempt } = task;
  const lease = { attempt, until, deadline: until, engagementId, runId, progress: 0 };
  await saveApexPresence(table, { before, after: { ...before, leases: { ...before.leases, [task.id]: lease } } });
  return task;
}

/** The lease is gone: the task was handed to another. */
export async function loseTask(table: Table, applianceId: string): Promise<void> {
  const before = await readApexPresence(table, applianceId);
  if (before) await saveApexPresence(table, { before, after: { ...before, leases: {} } });
}

const draft = (applianceId: string) => ({
  engagementId: newId(),
  type: 'reconnaissance' as const,
  title: null,
  objective: 'Which services are exposed?',
  targets: [],
  exclusions: [],
  parameters: {},
  applianceId: null,
  priority: 5,
  dependsOn: [],
  approval: 'none' as const,
  limits: { maxTokens: null, timeoutSeconds: null },
  zone: null,
  usePublicApex: false,
  campaignId: null,
  runId: null,
  templateKey: null,
  status: 'running' as const,
  waitingReason: null,
  released: true,
  approvedBy: null,
  appliance: { id: applianceId, name: 'appliance' },
  attempt: 1,
  maxAttempts: 3,
  progress: null,
  cancelRequestedAt: null,
  leaseExpiresAt: null,
  usage: noUsage,
  findings: noFindings,
  ingestTaskIds: [],
  result: null,
  error: null,
  startedAt: null,
  finishedAt: null,
});
