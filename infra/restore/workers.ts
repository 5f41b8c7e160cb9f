import { LambdaClient, ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import {
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';

type Told = (line: string) => void;

/** Stops or starts all workers of a stack: those of queues, and those of the clock. One that is so already is left alone. */
export async function setWorkers(stack: string, enabled: boolean, tell: Told): Promise<void> {
  await setQueues(stack, enabled, tell);
  await setClocks(stack, enabled, tell);
}

async function setQueues(stack: string, enabled: boolean, tell: Told): Promise<void> {
  const client = new LambdaClient();
  let Marker: string | undefined;
  do {
    const page = await client.send(new ListEventSourceMappingsCommand({ Marker }));
    for (const { UUID, State = '', FunctionArn = '', EventSourceArn = '' } of page.EventSourceMappings ?? []) {
      if (!FunctionArn.includes(`:function:${stack}-`) || isEnabled(State) === enabled) continue;
      await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: enabled }));
      tell(`${enabled ? 'starts' : 'stops'} the worker of ${EventSourceArn.split(':').at(-1)}`);
    }
    Marker = page.NextMarker;
  } while (Marker);
  client.destroy();
}

const isEnabled = (state: string): boolean => ['Enabled', 'Enabling', 'Creating'].includes(state);

async function setClocks(stack: string, enabled: boolean, tell: Told): Promise<void> {
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
