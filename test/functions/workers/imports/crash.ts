import type { S3Client } from '@aws-sdk/client-s3';
import type { Connections } from '#shared/platform/runtime/connections.ts';

class Crash extends Error {
  override name = 'Crash';
}

/** A process that can be killed at a write: from then on nothing of it reaches an engine, until it starts again. */
type Victim = {
  /** Kills at the n-th write from now, before it is done or between its doing and its answer. */
  killAt(write: number, when: 'before' | 'after'): void;
  restart(): void;
  isDead(): boolean;
};

export const isWrite = (command: string): boolean => !/^(Get|BatchGet|Query|Head|Scan|List|TransactGet)/.test(command);

export async function makeVictim(connections: Connections): Promise<Victim> {
  const state = { left: Number.POSITIVE_INFINITY, when: 'before', dead: false };
  async function pass<R>(command: string, run: () => Promise<R>): Promise<R> {
    if (state.dead) throw new Crash();
    const isLast = isWrite(command) && state.left-- === 1;
    if (isLast) state.dead = true;
    if (isLast && state.when === 'before') throw new Crash();
    const answer = await run();
    if (state.dead) throw new Crash();
    return answer;
  }
  await guardEngines(connections, pass);
  return {
    killAt: (left, when) => void Object.assign(state, { left, when, dead: false }),
    restart: () => void Object.assign(state, { left: Number.POSITIVE_INFINITY, dead: false }),
    isDead: () => state.dead,
  };
}

/** Lets each command to the table, the bucket and the queues pass through a function. */
export async function guardEngines(connections: Connections, pass: Pass): Promise<void> {
  guard(connections.dynamo.client as unknown as Client, pass);
  for (const client of [connections.bucket.client(), connections.bucket.signer()])
    guard((await client) as S3Client as unknown as Client, pass);
  const send = connections.queues.send;
  connections.queues.send = (...args) => pass('SendMessage', () => send(...args));
}

export type Pass = <R>(command: string, run: () => Promise<R>) => Promise<R>;
type Next = (args: unknown) => Promise<unknown>;
type Client = {
  middlewareStack: { add(middleware: (next: Next, context: { commandName?: string }) => Next, options: object): void };
};

const guard = ({ middlewareStack }: Client, pass: Pass): void =>
  middlewareStack.add((next, context) => (args) => pass(String(context.commandName), () => next(args)), {
    step: 'initialize',
    name: 'crash',
    priority: 'high',
  });
