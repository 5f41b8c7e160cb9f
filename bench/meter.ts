import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

export type Usage = {
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** Transactions, and rows that are in none: the embedded engine waits for the disk after each. */
  commits: number;
};
export type Meter = { measure(operation: () => Promise<unknown>): Promise<Usage> };

type Capacity = { CapacityUnits?: number; ReadCapacityUnits?: number; WriteCapacityUnits?: number };
const reads = /^(Get|BatchGet|Query|TransactGet)/;

/**
 * Counts the units that the requests of a connection consume, one operation at a time.
 * @param inStep holds each answer until no request is on its way, so that parallel chains of requests count as their
 *   longest chain, however late an answer is. Not for measurements of time.
 */
export function attachMeter({ client }: Dynamo, { inStep = false } = {}): Meter {
  let usage: Usage = NOTHING();
  let answered = 0;
  const held = inStep ? heldUntilAll() : <T>(send: () => Promise<T>) => send();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const trip = answered + 1; // The request may have waited for all answers before it.
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answer = await held(() => next(args));
      answered = Math.max(answered, trip);
      usage.roundTrips = Math.max(usage.roundTrips, trip);
      const { ConsumedCapacity } = (answer as { output: { ConsumedCapacity?: Capacity | Capacity[] } }).output;
      const isRead = reads.test(String(context.commandName));
      if (!isRead) usage.commits += rowsAlone(args.input as Input);
      for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? {}].flat())
        usage[isRead ? 'readUnits' : 'writeUnits'] += CapacityUnits;
      return answer;
    },
    { step: 'initialize', name: 'meter', priority: 'high' },
  );
  return {
    async measure(operation) {
      usage = NOTHING();
      answered = 0;
      await operation();
      return { ...usage };
    },
  };
}

function heldUntilAll() {
  const waiting: (() => void)[] = [];
  let onTheirWay = 0;
  return async <T>(send: () => Promise<T>): Promise<T> => {
    onTheirWay++;
    try {
      return await send();
    } finally {
      onTheirWay--;
      if (onTheirWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else for (const release of waiting.splice(0)) release();
    }
  };
}

const NOTHING = (): Usage => ({ roundTrips: 0, readUnits: 0, writeUnits: 0, commits: 0 });

type Input = { RequestItems?: Record<string, unknown[]> };
const rowsAlone = ({ RequestItems }: Input): number =>
  RequestItems ? Object.values(RequestItems).reduce((sum, rows) => sum + rows.length, 0) : 1;

/** The maximum of several measurements, for each figure. */
export const worst = (all: Usage[]): Usage => ({
  roundTrips: Math.max(...all.map(({ roundTrips }) => roundTrips)),
  readUnits: Math.max(...all.map(({ readUnits }) => readUnits)),
  writeUnits: Math.max(...all.map(({ writeUnits }) => writeUnits)),
  commits: Math.max(...all.map(({ commits }) => commits)),
});
