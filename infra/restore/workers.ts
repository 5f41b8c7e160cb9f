import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventSourceMappingConfiguration,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import {
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { jobNames, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { Queues } from '#shared/platform/runtime/queues.ts';

type Tell = (line: string) => void;

/**
 * Stops or starts all workers of a stack: the workers of queues and the scheduled workers. Skips a worker that is
 * already in that state.
 */
export async function setWorkers(stack: string, enabled: boolean, tell: Tell): Promise<void> {
  await setQueues(stack, enabled, tell);
  await setClocks(stack, enabled, tell);
}

async function setQueues(stack: string, enabled: boolean, tell: Tell): Promise<void> {
  const client = new LambdaClient();
  for await (const { UUID, State = '', EventSourceArn = '' } of workersOf(stack, client)) {
    if (isEnabled(State) === enabled) continue;
    await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: enabled }));
    tell(`${enabled ? 'starts' : 'stops'} the worker of ${EventSourceArn.split(':').at(-1)}`);
  }
  client.destroy();
}

async function* workersOf(stack: string, client: LambdaClient): AsyncGenerator<EventSourceMappingConfiguration> {
  let Marker: string | undefined;
  do {
    const page = await client.send(new ListEventSourceMappingsCommand({ Marker }));
    for (const mapping of page.EventSourceMappings ?? [])
      if (mapping.FunctionArn?.includes(`:function:${stack}-`)) yield mapping;
    Marker = page.NextMarker;
  } while (Marker);
}

const PAUSE_MS = 2_000;

/** No worker runs longer than this, even if a message is hidden for longer: a returned message is hidden too. */
const LONGEST_MS = Math.max(...jobNames.map((name) => jobs[name].timeoutSeconds)) * 1_000;

/**
 * Waits until the workers of the queues have stopped and their current work has ended, because that work changes
 * objects.
 */
export async function waitForWorkers(stack: string, queues: Queues, tell: Tell): Promise<void> {
  const client = new LambdaClient();
  while (!(await areStopped(stack, client))) await sleep(PAUSE_MS);
  client.destroy();
  for (const until = elapsedMs() + LONGEST_MS; elapsedMs() < until; await sleep(PAUSE_MS)) {
    const counts = await Promise.all(jobNames.map((name) => queues.countInFlight(queueName(jobs[name]))));
    const inFlight = counts.reduce((sum, count) => sum + count, 0);
    if (inFlight === 0) return;
    tell(`waits for ${inFlight} messages in flight`);
  }
}

async function areStopped(stack: string, client: LambdaClient): Promise<boolean> {
  for await (const { State } of workersOf(stack, client)) if (State !== 'Disabled') return false;
  return true;
}

const isEnabled = (state: string): boolean => ['Enabled', 'Enabling', 'Creating'].includes(state);

async function setClocks(stack: string, enabled: boolean, tell: Tell): Promise<void> {
  const client = new SchedulerClient();
  const wanted = enabled ? ('ENABLED' as const) : ('DISABLED' as const);
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListSchedulesCommand({ NamePrefix: `${stack}-`, NextToken }));
    for (const { Name, State } of page.Schedules ?? []) {
      if (State === wanted) continue;
      const { ScheduleExpression, FlexibleTimeWindow, Target } = await client.send(new GetScheduleCommand({ Name }));
      // an update sets everything that it does not name to its default
      await client.send(
        new UpdateScheduleCommand({ Name, ScheduleExpression, FlexibleTimeWindow, Target, State: wanted }),
      );
      tell(`${enabled ? 'starts' : 'stops'} the schedule ${Name}`);
    }
    NextToken = page.NextToken;
  } while (NextToken);
  client.destroy();
}
