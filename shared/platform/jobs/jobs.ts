import * as z from 'zod';
import { random } from '../runtime/random.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';

/** Work that is done behind a queue. */
export type Job<M extends z.ZodType = z.ZodType> = {
  name: string;
  message: M;
  /** The worker's time limit. */
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** Deliveries in which a task is worked. */
  attempts: number;
  /** Messages that are worked at once, so that a burst of imports leaves room for other functions. */
  concurrency: number;
  /**
   * Messages of one organization that run at once: less than half of all, so that one organization leaves places to
   * others. The message groups of an organization share this many lanes (`send.ts`).
   */
  perOrganization: number;
};

const USUAL = { timeoutSeconds: 120, memoryMegabytes: 512, attempts: 5, concurrency: 10, perOrganization: 3 };

/**
 * For work that mostly waits for other systems' answers: a host that is down occupies its lanes for minutes, so there
 * are more lanes.
 */
const WAITING = { concurrency: 20, perOrganization: 6 };

const defineJob = <M extends z.ZodType>(job: Omit<Job<M>, keyof typeof USUAL> & Partial<typeof USUAL>): Job<M> => ({
  ...USUAL,
  ...job,
});

const taskMessage = z.object({ organizationId: z.uuid(), taskId: z.uuid() });
const anyTaskMessage = taskMessage.extend({ organizationId: z.union([z.uuid(), z.literal(GLOBAL_SCOPE)]) });

/**
 * Every job: its message, its queue and how often it is tried. The queues and dead-letter queues of the stack and of the
 * local system, the types of producers and workers, and the local pollers are made from this list.
 */
export const jobs = {
  /** Reads a report into findings, with one message group per organization, because its writers would conflict. */
  ingest: defineJob({
    name: 'ingest',
    message: taskMessage,
    perOrganization: 1,
    timeoutSeconds: 300,
    // The least memory with a whole processor: half of an import is processor time.
    memoryMegabytes: 1769,
  }),
  /** Makes the scanner tasks of a new engagement. */
  engagements: defineJob({
    name: 'engagements',
    message: taskMessage,
  }),
  /** Makes the tasks of a campaign's run; stops everything that appliances do for an organization. */
  apex: defineJob({
    name: 'apex',
    message: taskMessage,
  }),
  /** Counts old records again by the declarations of a new release; verifies and repairs counters. */
  maintenance: defineJob({
    name: 'maintenance',
    message: taskMessage,
    timeoutSeconds: 300,
  }),
  /** Writes findings into a file, in slices. */
  exports: defineJob({
    name: 'exports',
    message: taskMessage,
    timeoutSeconds: 300,
  }),
  /** Makes a report: gathers its facts once, and writes its files. Half of the work is processor time. */
  reports: defineJob({
    name: 'reports',
    message: taskMessage,
    timeoutSeconds: 300,
    memoryMegabytes: 1769,
  }),
  /**
   * Updates an organization's views after changes, with one message group per organization. A message without a task
   * reports changes; a message with a task rebuilds the views.
   */
  views: defineJob({
    name: 'views',
    message: taskMessage.partial({ taskId: true }),
    memoryMegabytes: 1769,
    // Most of a visit waits until the newest changes may be numbered.
    concurrency: 40,
    perOrganization: 1,
  }),
  /** Works the events of code hosts, with one message group per repository. */
  webhooks: defineJob({
    name: 'webhooks',
    message: anyTaskMessage,
  }),
  /** Reads from code hosts and reports to them: a slow host delays no events. */
  hosts: defineJob({
    name: 'hosts',
    ...WAITING,
    message: taskMessage,
  }),
  /**
   * Works the events of the payment processor, with one message group per customer: they belong to no organization before they are
   * worked.
   */
  billing: defineJob({
    name: 'billing',
    message: anyTaskMessage,
    concurrency: 5,
    perOrganization: 1,
  }),
  /** Stores the batches of events that collectors sent, with one message group per collector. A message names a batch, and no task. */
  siem: defineJob({
    name: 'siem',
    message: z.object({ organizationId: z.uuid(), collectorId: z.uuid(), batchId: z.string() }),
    memoryMegabytes: 1769,
  }),
  /** Brings tickets and the issues of ticketing systems to each other, with one message group per ticket. */
  ticketing: defineJob({
    name: 'ticketing',
    ...WAITING,
    message: taskMessage,
  }),
  /** Asks a model for an appliance, with one message per completion. */
  completions: defineJob({
    name: 'completions',
    ...WAITING,
    message: taskMessage,
    timeoutSeconds: 240,
    attempts: 3,
  }),
  /** Sends letters to people by e-mail. */
  mail: defineJob({
    name: 'mail',
    ...WAITING,
    message: anyTaskMessage,
  }),
  /**
   * Sends the events of an organization to its webhook endpoints, to its channels and to its people, with one message group for each of
   * these. A message names an endpoint, a subscription or a person, and no task.
   */
  deliveries: defineJob({
    name: 'deliveries',
    ...WAITING,
    // beside the two lanes of readers that are worked apart
    perOrganization: 4,
    message: z.object({
      organizationId: z.uuid(),
      kind: z.enum(['webhook', 'subscription', 'person']),
      readerId: z.uuid(),
      /** A delivery to send again first; of an endpoint, or of a subscription to a channel. */
      deliveryId: z.string().optional(),
      /** The message is in a lane for readers that fail or are slow. */
      apart: z.boolean().optional(),
    }),
  }),
} as const;

export type JobName = keyof typeof jobs;
export const jobNames = Object.keys(jobs) as JobName[];

export const queueName = ({ name }: Job): string => `${name}.fifo`;
export const deadLetterQueueName = ({ name }: Job): string => `${name}-dead-letters.fifo`;
/**
 * Deliveries before a message goes to the dead-letter queue. Those after the attempts mark the task as failed where its
 * worker died and could not. They are three, because a table that fails at that moment must not keep the task `running`.
 */
export const deliveries = ({ attempts }: Job): number => attempts + 3;

/**
 * When a failed message comes again. Its lane waits for it, so the first wait is short. Five attempts last nine minutes, longer than
 * most outages. Up to a quarter more is chance, so that messages that failed together do not come again together.
 */
export const returnSeconds = (received: number): number => Math.round(2 * 6 ** (received - 1) * (1 + random() / 4));

/**
 * How long a queue hides a message whose worker is silent: twice the time limit, not six times (AWS's advice for event
 * sources), because the lane of a dead worker waits this long.
 */
export const visibilitySeconds = ({ timeoutSeconds }: Job): number => timeoutSeconds * 2;
