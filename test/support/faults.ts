import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

/** The faults of one request. `random` is in [0, 1). */
export type Faults = {
  random: () => number;
  /** How often each happens, in [0, 1]. */
  conflict?: number;
  /** A write of a single row meets a transaction. */
  single?: number;
  throttle?: number;
  /** The answer never arrives, though the write was done. */
  lost?: number;
  unprocessed?: number;
  /** Called before each request; what it throws is what the caller gets, and nothing is done. */
  before?: (command: string, input: object) => void | Promise<void>;
};

type Args = { input: Record<string, unknown> };
type Answer = { output: Record<string, unknown>; response?: unknown };

class ServiceFault extends Error {
  readonly $metadata = { attempts: 1 };
  readonly CancellationReasons: { Code: string }[] | undefined;
  constructor(name: string, reasons?: { Code: string }[]) {
    super(`injected ${name}`);
    this.name = name;
    this.CancellationReasons = reasons;
  }
}

const writes = ['TransactWriteItemsCommand', 'TransactWriteCommand', 'BatchWriteItemCommand', 'BatchWriteCommand'];

const singles = /^(Put|Update|Delete)/;

/** Makes the connection fail in the ways that the engines here never do. Returns a function that ends it. */
export function injectFaults({ client }: Dynamo, faults: Faults): () => void {
  let on = true;
  const happens = (chance = 0) => on && faults.random() < chance;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName);
      const { input } = args as unknown as Args;
      if (on) await faults.before?.(command, input);
      if (command.startsWith('BatchGet') && happens(faults.unprocessed)) return leaveUnread(args, next);
      if (faults.single && singles.test(command) && happens(faults.single))
        throw new ServiceFault('TransactionConflictException');
      if (!writes.includes(command)) return next(args);
      if (happens(faults.throttle)) throw new ServiceFault('ThrottlingException');
      if (command.startsWith('Transact') && happens(faults.conflict)) throw conflictOf(input);
      if (command.startsWith('BatchWrite') && happens(faults.unprocessed)) return leaveOver(args, next);
      const answer = await next(args);
      if (happens(faults.lost)) throw new ServiceFault('TimeoutError');
      return answer;
    },
    { step: 'initialize', name: `faults-${Math.random()}`, priority: 'high' },
  );
  return () => {
    on = false;
  };
}

function conflictOf(input: Args['input']): ServiceFault {
  const count = (input.TransactItems as unknown[]).length;
  const reasons = Array.from({ length: count }, (_, n) => ({ Code: n === count - 1 ? 'TransactionConflict' : 'None' }));
  return new ServiceFault('TransactionCanceledException', reasons);
}

/** Does the first half of the requests and answers that the others are left over. */
async function leaveOver<A extends object, R>(args: A, next: (args: A) => Promise<R>): Promise<R> {
  const { input } = args as unknown as Args;
  const [table = '', requests = []] = Object.entries(input.RequestItems as Record<string, object[]>)[0] ?? [];
  const half = Math.ceil(requests.length / 2);
  const part = { ...args, input: { ...input, RequestItems: { [table]: requests.slice(0, half) } } };
  const answer = (await next(part)) as unknown as Answer;
  const left = requests.length === half ? {} : { [table]: requests.slice(half) };
  return { ...answer, output: { ...answer.output, UnprocessedItems: left } } as unknown as R;
}

/** Reads the first half of the keys and answers that the others are left over. */
async function leaveUnread<A extends object, R>(args: A, next: (args: A) => Promise<R>): Promise<R> {
  const { input } = args as unknown as Args;
  const [table = '', request] = Object.entries(input.RequestItems as Record<string, { Keys: object[] }>)[0] ?? [];
  const keys = request?.Keys ?? [];
  const half = Math.ceil(keys.length / 2);
  const asking = (Keys: object[]) => ({ [table]: { ...request, Keys } });
  const part = { ...args, input: { ...input, RequestItems: asking(keys.slice(0, half)) } };
  const answer = (await next(part)) as unknown as Answer;
  const left = keys.length === half ? {} : asking(keys.slice(half));
  return { ...answer, output: { ...answer.output, UnprocessedKeys: left } } as unknown as R;
}

/** Lets something else happen between what this connection has read and its first transaction (that has such a part). */
export function overtakeOnce({ client }: Dynamo, meanwhile: () => Promise<unknown>, part = ''): void {
  let done = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isTransaction = String(context.commandName).startsWith('TransactWrite');
      if (!done && isTransaction && JSON.stringify(args.input, bigAsText).includes(part)) {
        done = true;
        await meanwhile();
      }
      return next(args);
    },
    { step: 'initialize', name: 'overtake-once', priority: 'high' },
  );
}

export const bigAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Loses the first answer to a request that changes something, below the client's own retries. */
export function loseFirstAnswer({ client }: Dynamo): void {
  let lost = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = next(args);
      if (lost || !/^(Put|Update|Delete|Transact)/.test(String(context.commandName))) return answer;
      lost = true;
      await answer.catch(() => undefined);
      throw new ServiceFault('TimeoutError');
    },
    { step: 'deserialize', name: 'lose-first-answer', priority: 'low' },
  );
}

/** Repeatable chance out of a seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
