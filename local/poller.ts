import { setTimeout as sleep } from 'node:timers/promises';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { deliver, type EventSource } from '#local/delivery.ts';
import { isReceived, type ReceivedMessage } from '#local/sqs-event.ts';

export type Poller = {
  /** Takes no more messages, and resolves when the taken messages are finished. */
  stop(): Promise<void>;
};

type State = { running: Set<Promise<void>>; busyGroups: Set<string>; stopped: AbortSignal };

/**
 * The queue engine would give a message to a poll whose connection is gone, and hide it for its visibility timeout.
 * Therefore polls are short and never cancelled, and stopping waits for the last poll.
 */
const waitSeconds = 1;

/** Replaces Lambda's event source mapping of one queue. */
export function startPoller(client: SQSClient, source: EventSource): Poller {
  const stopping = new AbortController();
  const state: State = { running: new Set(), busyGroups: new Set(), stopped: stopping.signal };
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
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages.filter(isReceived);
}

/**
 * While a message of a group is being handled, the queue keeps back the rest of the group, but only for the visibility
 * timeout. If a handler takes longer, early messages are left alone: they return after another timeout.
 */
function begin(received: ReceivedMessage[], state: State, run: (messages: ReceivedMessage[]) => Promise<void>): void {
  const messages = received.filter((message) => !state.busyGroups.has(groupOf(message) ?? ''));
  if (messages.length === 0) return;
  const groups = messages.map(groupOf).filter((group) => group !== undefined);
  for (const group of groups) state.busyGroups.add(group);
  const delivery = run(messages).finally(() => {
    state.running.delete(delivery);
    for (const group of groups) state.busyGroups.delete(group);
  });
  state.running.add(delivery);
}

function groupOf(message: ReceivedMessage): string | undefined {
  return message.Attributes?.MessageGroupId;
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
