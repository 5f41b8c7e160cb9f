import * as z from 'zod';
import { ScanTarget, TaskType } from '#shared/assets/targets/scan-target.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { CompletedTasksAnswer, pollAnswer } from '#shared/scanning/leases/answers.ts';
import { ScannerDataSource } from '#shared/scanning/scanners/scanner.ts';

/** A task as it is handed to a scanner. */
const LeasedTask = z.object({
  id: Id,
  type: TaskType,
  target: ScanTarget,
  exclusions: z
    .array(ScanTarget)
    .optional()
    .meta({
      description:
        'names, pages and addresses that the scanner must not touch, even if the name of the target resolves to them; fail the ' +
        'task if you cannot avoid them',
    }),
  publicOnly: z.literal(true).optional().meta({
    description: 'of a shared pool: resolve names and touch no private, loopback, link-local or metadata address',
  }),
  parameters: z.record(z.string(), z.unknown()),
  zone: z.string().nullable(),
  engagementId: Id.nullable().meta({ description: 'null: a scan of a branch of a code host' }),
  attempt: z.int().positive(),
  leaseSeconds: z.int().positive(),
  leaseExpiresAt: Timestamp,
  deadlineAt: Timestamp,
  secretsUrl: z
    .string()
    .optional()
    .meta({ description: 'the path of this service that returns its credentials, once' }),
});

export const NewTasksAnswer = objectNamed('ScannerNewTasksAnswer', {
  tasks: z.array(LeasedTask),
  ...pollAnswer,
  upgrade: z.object({ recommended: z.string(), minimum: z.string().nullable(), message: z.string() }).optional().meta({
    description: 'the version that the scanner says is not current; below `minimum` there are no new tasks',
  }),
});
export type NewTasksAnswer = z.infer<typeof NewTasksAnswer>;

const access = { machines: ['scanner'], draining: true } as const;

export const scannerCommunicationRoutes = defineRoutes({
  leaseScannerTasks: post('/api/v1/scanner_communication/new_tasks', {
    operation: 'Scanner New Tasks',
    summary: 'Poll: renew the leases of running tasks and lease waiting tasks',
    description:
      '`capacity` (required) is the number of further tasks that the scanner takes now; 0 only reports that the scanner is online. ' +
      '`running` renews the leases of the named tasks; a lease that is not renewed ends after `leaseSeconds`, and another scanner ' +
      'gets the task. Poll again after `pollAfterSeconds`, or as soon as a task ends. No two polls get the same task.',
    access,
    body: ScannerDataSource,
    example: { capacity: 2 },
    needs: ['capacity'],
    lenient: true,
    poll: true,
    response: NewTasksAnswer,
  }),
  completeScannerTasks: post('/api/v1/scanner_communication/completed_tasks', {
    operation: 'Scanner Completed Tasks',
    summary: 'Report the results of tasks, with the report files of the tools',
    description:
      'Each of `results` (required) has its own answer: a refused result does not affect the other results. Sending a result again ' +
      'is harmless and gets the same answer. A task that the scanner does not hold, or no longer holds, is refused with ' +
      '`not_held`. A failed task is tried again until its attempts are used up. The findings belong to the target of the lease, ' +
      'even if the report names another target. `taskId` is the task that reads the first report.',
    access,
    maxBody: MAX_REPORT_BYTES,
    body: ScannerDataSource,
    needs: ['results'],
    example: { results: [{ taskId: '01900000-0000-7000-8000-000000000000', outcome: 'completed', reports: [] }] },
    lenient: true,
    response: CompletedTasksAnswer.meta({ id: 'ScannerCompletedTasksAnswer' }),
  }),
});
