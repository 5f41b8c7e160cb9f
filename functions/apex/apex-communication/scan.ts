import type { ApexTask } from '#shared/apex/apex-task.ts';
import type { Scan } from '#shared/ingest/submission.ts';

/** The scan, as the stored task describes it. A finding stays open when an appliance does not mention it. */
export const scanOf = (task: ApexTask, zone: string | null): Scan => ({
  source: 'apex',
  targets: task.targets.map(({ type, value }) => ({ type, value })),
  zone,
  scanType: `apex:${task.engagementId}`,
  closeMissing: false,
  engagementId: task.engagementId,
});
