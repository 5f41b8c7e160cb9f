import { setTimeout as sleep } from 'node:timers/promises';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { deliver, type EventSource } from '#local/delivery.ts';
import { isReceived, type ReceivedMessage } from '#local/sqs-event.ts';

export type Poller = {
  /** Takes nothing more, and resolves when what was taken is finished. */
  stop(): Promise<void>;
};

type State = { running: Set<Promise<void>>; busyGroups: Set<string>; stopped: AbortSignal };

/**
 * A stand-in gives a message to a long poll whose connection is gone, and it stays hidden for its visibility timeout.
 * So polls are never broken off; they are short instead, and stopping waits for the last one.
 */
const waitSeconds = 1;

/** Stands in for Lambda's event source mapping of one queue. */
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
      if (failures === 0) console.error(`${source.functionName}: its queue cannot be read; trying again:`, error);
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
 * The queue itself holds a group back while one of its messages is out, but only for the visibility timeout. If a
 * handler outlasts that, what comes too early is left alone: it returns after another timeout.
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
