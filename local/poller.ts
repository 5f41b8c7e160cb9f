import { setTimeout as sleep } from 'node:timers/promises';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { deliver, type EventSource } from './delivery.ts';
import { isReceived, type ReceivedMessage } from './sqs-event.ts';

export type Poller = {
  /** Takes no more messages, and resolves when the taken messages are finished. */
  stop(): Promise<void>;
};

type State = {
  running: Set<Promise<void>>;
  /** The last delivery of each group that is being handled. */
  busyGroups: Map<string | undefined, Promise<void>>;
  stopped: AbortSignal;
};

/**
 * Replaces Lambda's event source mapping of one queue. The queue engine would give a message to a poll whose connection is gone, and
 * hide it for its visibility timeout. Therefore polls are never cancelled, and stopping waits for the last poll.
 */
export function startPoller(client: SQSClient, source: EventSource): Poller {
  const stopping = new AbortController();
  const state: State = { running: new Set(), busyGroups: new Map(), stopped: stopping.signal };
  const polling = poll(client, source, state);
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(state.running);
    },
  };
}

async function poll(client: SQSClient, source: EventSource, state: State): Promise<void> {
  let failures = 0;
  while (!state.stopped.aborted) {
    if (state.running.size >= source.concurrency) {
      await Promise.race(state.running);
      continue;
    }
    try {
      const received = await receive(client, source);
      begin(received, state, (messages) => deliver(client, source, messages));
      failures = 0;
    } catch (error) {
      if (failures === 0) console.error(`${source.functionName}: reading the queue failed; trying again:`, error);
      await pause(Math.min(5_000, 100 * 2 ** failures++), state.stopped);
    }
  }
}

async function receive(client: SQSClient, source: EventSource): Promise<ReceivedMessage[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: source.queueUrl,
      MaxNumberOfMessages: Math.min(10, source.batchSize),
      WaitTimeSeconds: source.pollSeconds ?? 1,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages.filter(isReceived);
}

/**
 * The queue keeps back the rest of a group while a message of it is being handled, unless that one was returned before
 * its batch ended. An early message is held here until then: otherwise the queue would hide it for the visibility
 * timeout.
 */
function begin(received: ReceivedMessage[], state: State, run: (messages: ReceivedMessage[]) => Promise<void>): void {
  const early = received.filter((message) => state.busyGroups.has(groupOf(message)));
  const free = received.filter((message) => !early.includes(message));
  if (free.length > 0) start(free, state, () => run(free));
  for (const message of early) {
    const before = state.busyGroups.get(groupOf(message));
    start([message], state, async () => {
      await before;
      await run([message]);
    });
  }
}

function start(messages: ReceivedMessage[], { running, busyGroups }: State, run: () => Promise<void>): void {
  const groups = messages.map(groupOf).filter((group) => group !== undefined);
  const delivery = run().finally(() => {
    running.delete(delivery);
    for (const group of groups) if (busyGroups.get(group) === delivery) busyGroups.delete(group);
  });
  for (const group of groups) busyGroups.set(group, delivery);
  running.add(delivery);
}

function groupOf(message: ReceivedMessage): string | undefined {
  return message.Attributes?.MessageGroupId;
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
