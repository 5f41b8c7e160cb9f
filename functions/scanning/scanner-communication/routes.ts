import * as z from 'zod';
import { ScanTarget, TaskType } from '#shared/assets/targets/scan-target.ts';
import { Id, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
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
        'names, pages and addresses that must be left alone, also if the name of the target leads to them; fail the ' +
        'task if you cannot',
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
    .meta({ description: 'where its credentials are handed out, once; a path of this service' }),
});

export const NewTasksAnswer = z
  .object({
    tasks: z.array(LeasedTask),
    ...pollAnswer,
    upgrade: z
      .object({ recommended: z.string(), minimum: z.string().nullable(), message: z.string() })
      .optional()
      .meta({
        description: 'the version that the scanner says is not current; below `minimum` there are no new tasks',
      }),
  })
  .meta({ id: 'ScannerNewTasksAnswer' });
export type NewTasksAnswer = z.infer<typeof NewTasksAnswer>;

const access = { machines: ['scanner'], draining: true } as const;

export const scannerCommunicationRoutes = defineRoutes({
  leaseScannerTasks: {
    method: 'POST',
    path: '/api/v1/scanner_communication/new_tasks',
    operation: 'Scanner New Tasks',
    summary: 'Poll: say what is running, take what waits',
    description:
      '`capacity` (required) is how many more tasks the scanner takes now; 0 only says that it lives. `running` renews ' +
      'the leases of the tasks that it names; a lease that is not renewed ends after `leaseSeconds` and the task goes ' +
      'to another scanner. Poll again after `pollAfterSeconds`, or as soon as a task ends. Two polls that ask for the ' +
      'same task get it once.',
    access,
    body: ScannerDataSource,
    example: { capacity: 2 },
    lenient: true,
    poll: true,
    response: NewTasksAnswer,
  },
  completeScannerTasks: {
    method: 'POST',
    path: '/api/v1/scanner_communication/completed_tasks',
    operation: 'Scanner Completed Tasks',
    summary: 'Report how tasks ended, with the report files of the tools',
    description:
      'Each of `results` (required) is answered by itself: one that is refused loses none of the others. Sending a ' +
      'result again is harmless and answers the same. A task that the scanner does not hold (any more) is refused with ' +
      '`not_held`. A failed task is tried again until its attempts are used up. The target of the findings is that of ' +
      'the lease, whatever the report claims. `taskId` is the task that reads the first report.',
    access,
    body: ScannerDataSource,
    example: { results: [{ taskId: '01900000-0000-7000-8000-000000000000', outcome: 'completed', reports: [] }] },
    lenient: true,
    response: CompletedTasksAnswer.meta({ id: 'ScannerCompletedTasksAnswer' }),
  },
});
