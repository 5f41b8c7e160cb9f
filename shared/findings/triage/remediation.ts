import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';

export const REMEDIATION_STATUSES = ['planned', 'in_progress', 'done', 'verified', 'cancelled'] as const;
export type RemediationStatus = (typeof REMEDIATION_STATUSES)[number];

const RemediationProgress = z.object({
  total: z.int().nonnegative(),
  fixed: z.int().nonnegative(),
  fixedByScan: z.int().nonnegative().meta({ description: 'fixed findings that a scan proved gone' }),
});
export type RemediationProgress = z.infer<typeof RemediationProgress>;

/** A person may name so many findings at once; a filter of `PATCH /api/v1/findings` links any number. */
const MAX_NAMED = 1000;

const stored = {
  ...recordFields,
  title: z.string().trim().min(1).max(200).meta({ example: 'Update nginx on all web servers' }),
  description: z.string().trim().max(4000).nullable().default(null),
  assigneeId: z.string().min(1).max(120).nullable().default(null).meta({ description: '`assignee` has the name' }),
  assignee: readOnly(Person.nullable()),
  dueAt: Timestamp.nullable().default(null),
  status: z
    .enum(REMEDIATION_STATUSES)
    .default('planned')
    .meta({
      description:
        'people set all statuses except `verified`: a `done` remediation becomes `verified` once scans have proven all of its ' +
        'findings gone, and `in_progress` when a finding is no longer proven gone',
    }),
  taskId: readOnly(Id.nullable().meta({ description: 'the task that last linked or unlinked its `findingIds`' })),
  verifyTaskId: readOnly(
    Id.nullable().meta({ description: 'the task that made the last engagement of its verification' }),
  ),
};

/** Work that repairs several findings. */
export const Remediation = objectNamed('Remediation', {
  ...stored,
  findingIds: z.array(Id).max(MAX_NAMED).optional().meta({
    writeOnly: true,
    description: 'replaces all linked findings; `GET /api/v1/findings?remediationId=<id>` lists them',
  }),
  progress: live(RemediationProgress),
});
export type Remediation = z.infer<typeof Remediation>;

/** `checkAt`: the service's next check whether a done remediation is verified, or a verified one still is. */
export const StoredRemediation = z.object({ ...stored, checkAt: Timestamp.optional() });
export type StoredRemediation = z.infer<typeof StoredRemediation>;

const LEFT: readonly RemediationStatus[] = ['planned', 'in_progress'];

export const remediations = defineEntity<StoredRemediation>(StoredRemediation, {
  name: 'remediation',
  feedFields: ['title', 'status', 'assignee', 'dueAt'],
  dimensions: { status: REMEDIATION_STATUSES },
  facets: ({ status }) => count({ status }),
  search: ({ title }) => [title],
  /** `person`: who made it and who does it, of whom each sees it also with a part. */
  indexed: ({ assigneeId, createdBy }) => ({
    assigneeId,
    person: [...new Set([createdBy.id, assigneeId ?? []].flat())],
  }),
  inPart: { personId: 'person' },
  /** Work that is left. */
  ordered: ({ status, dueAt }) => ({ due: LEFT.includes(status) && dueAt ? dayOf(dueAt) : undefined }),
});
