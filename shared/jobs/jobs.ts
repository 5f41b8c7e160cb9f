import * as z from 'zod';
import { random } from '../runtime/random.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';

/** Work that is done behind a queue. */
export type Job<M extends z.ZodType = z.ZodType> = {
  name: string;
  /** A FIFO queue keeps the order within a message group; otherwise the queue is a standard one. */
  fifo: boolean;
  message: M;
  /** The worker's time limit. */
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** Deliveries in which a task is worked. */
  attempts: number;
  /** Messages that are worked at once, so that a burst of imports leaves room for other functions. */
  concurrency: number;
};

const USUAL = { timeoutSeconds: 120, memoryMegabytes: 512, attempts: 5, concurrency: 10 };

const defineJob = <M extends z.ZodType>(job: Omit<Job<M>, keyof typeof USUAL> & Partial<typeof USUAL>): Job<M> => ({
  ...USUAL,
  ...job,
});

const taskMessage = z.object({ organizationId: z.uuid(), taskId: z.uuid() });

/**
 * Every job: its message, its queue and how often it is tried. The queues and dead-letter queues of the stack and of the
 * local system, the types of producers and workers, and the local pollers are made from this list.
 */
export const jobs = {
  /** Reads a report into findings, with one message group per organization. */
  ingest: defineJob({
    name: 'ingest',
    fifo: true,
    message: taskMessage,
    timeoutSeconds: 300,
    // The least memory with a whole processor: half of an import is processor time.
    memoryMegabytes: 1769,
  }),
  /** Makes the scanner tasks of a new engagement. */
  engagements: defineJob({
    name: 'engagements',
    fifo: false,
    message: taskMessage,
  }),
  /** Makes the tasks of a campaign's run; stops everything that appliances do for an organization. */
  apex: defineJob({
    name: 'apex',
    fifo: false,
    message: taskMessage,
  }),
  /** Counts old records again by the declarations of a new release; verifies and repairs counters. */
  maintenance: defineJob({
    name: 'maintenance',
    fifo: true,
    message: taskMessage,
    timeoutSeconds: 300,
  }),
  /** Writes findings into a file, in slices. */
  exports: defineJob({
    name: 'exports',
    fifo: false,
    message: taskMessage,
    timeoutSeconds: 300,
  }),
  /**
   * Brings an organization's views up to its changes, with one message group per organization. A message without a task says
   * that there are changes; one with a task rebuilds the views.
   */
  views: defineJob({
    name: 'views',
    fifo: true,
    message: taskMessage.partial({ taskId: true }),
    memoryMegabytes: 1769,
    // Most of a visit waits until the newest changes may be numbered.
    concurrency: 40,
  }),
  /**
   * Works the events of code hosts, with one message group per repository, and those of the payment processor, with one per
   * customer: these belong to no organization before they are worked.
   */
  webhooks: defineJob({
    name: 'webhooks',
    fifo: true,
    message: taskMessage.extend({ organizationId: z.union([z.uuid(), z.literal(GLOBAL_SCOPE)]) }),
  }),
  /** Stores the batches of events that collectors sent, with one message group per collector. A message names a batch, and no task. */
  siem: defineJob({
    name: 'siem',
    fifo: true,
    message: z.object({ organizationId: z.uuid(), collectorId: z.uuid(), batchId: z.string() }),
    memoryMegabytes: 1769,
  }),
  /** Brings tickets and the issues of ticketing systems to each other, with one message group per ticket. */
  ticketing: defineJob({
    name: 'ticketing',
    fifo: true,
    message: taskMessage,
  }),
  /** Asks a model for an appliance, with one message per completion. */
  completions: defineJob({
    name: 'completions',
    fifo: false,
    message: taskMessage,
    timeoutSeconds: 240,
    attempts: 3,
  }),
} as const;

export type JobName = keyof typeof jobs;
export const jobNames = Object.keys(jobs) as JobName[];

export const queueName = ({ name, fifo }: Job): string => (fifo ? `${name}.fifo` : name);
export const deadLetterQueueName = ({ name, fifo }: Job): string =>
  fifo ? `${name}-dead-letters.fifo` : `${name}-dead-letters`;
/**
 * Deliveries before a message goes to the dead-letter queue. Those after the attempts mark the task as failed where its
 * worker died and could not. They are three, because a table that fails at that moment must not keep the task `running`.
 */
export const deliveries = ({ attempts }: Job): number => attempts + 3;

/**
 * When a failed message comes again. In a FIFO queue its group waits for it, so the first wait is shorter there. Five attempts
 * last nine minutes there and 14 in other queues, longer than most outages. Up to a quarter more is chance, so that messages
 * that failed together do not come again together.
 */
export function returnSeconds({ fifo }: Job, received: number): number {
  const [first, factor] = fifo ? [2, 6] : [10, 4];
  return Math.round(first * factor ** (received - 1) * (1 + random() / 4));
}

/**
 * How long a queue hides a message whose worker says nothing: six times the time limit (AWS's advice for event sources).
 * In a FIFO queue twice, because the group of a worker that died waits for so long.
 */
export const visibilitySeconds = ({ fifo, timeoutSeconds }: Job): number => timeoutSeconds * (fifo ? 2 : 6);
