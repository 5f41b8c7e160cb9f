import { randomBytes } from 'node:crypto';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { portsOf } from './lease-world.ts';
import { attachMeter, type Usage, worst } from './meter.ts';
import { type BenchRow, type Budget, benchRow } from './report.ts';

type Wanted = { operation: string; size?: string; budget?: Budget; run: (n: number) => unknown };

export type World = {
  table: Table;
  connections: Connections;
  /** The argument of a handler, for the call of a machine or a person. */
  call(caller: { id: string }, more: object): never;
  row(wanted: Wanted): Promise<BenchRow>;
  /** The most expensive of several runs. */
  dearest(wanted: Wanted, runs: number): Promise<BenchRow>;
  /** The mean of several runs, with the largest number of round trips. */
  mean(wanted: Wanted, runs: number): Promise<BenchRow>;
};

/** A new organization, whose handlers use the table; objects and secrets are in memory. */
export function openWorld(dynamo: Dynamo): World {
  const meter = attachMeter(dynamo);
  const table = openTable(dynamo, newId());
  const key = { kid: 'bench', key: randomBytes(32).toString('base64url'), from: '2020-01-01T00:00:00.000Z' };
  const secrets = { get: async () => JSON.stringify({ keys: [key] }), put: async () => undefined };
  const connections = { ...portsOf(dynamo), bucket: inMemory(), secrets };
  const measure = async (run: Wanted['run'], runs: number): Promise<Usage[]> => {
    const used: Usage[] = [];
    for (let n = 0; n < runs; n++) used.push(await meter.measure(async () => run(n)));
    return used;
  };
  const rowOf = ({ operation, size = '', budget = {} }: Wanted, usage: Usage) =>
    benchRow({ operation, size, budget, ...usage });
  return {
    table,
    connections,
    call: (caller, more) =>
      ({ table, connections, caller, request: { ip: '192.0.2.1', headers: {} }, ...more }) as never,
    row: async (wanted) => rowOf(wanted, worst(await measure(wanted.run, 1))),
    dearest: async (wanted, runs) => rowOf(wanted, worst(await measure(wanted.run, runs))),
    mean: async (wanted, runs) => rowOf(wanted, meanOf(await measure(wanted.run, runs))),
  };
}

function meanOf(used: Usage[]): Usage {
  const mean = (name: 'readUnits' | 'writeUnits') => used.reduce((sum, one) => sum + one[name], 0) / used.length;
  return { ...worst(used), readUnits: mean('readUnits'), writeUnits: mean('writeUnits') };
}

function inMemory(): Bucket {
  const objects = new Map<string, Uint8Array>();
  const absent = async (): Promise<never> => {
    throw new Error('not in this bench');
  };
  return {
    name: 'memory',
    put: async (key, body) => void objects.set(key, Buffer.from(body)),
    get: async (key) => objects.get(key),
    size: async (key) => objects.get(key)?.length,
    remove: async (keys) => keys.forEach((key) => void objects.delete(key)),
    stream: absent,
    client: absent,
    signer: absent,
  };
}

/** Runs with a clock that moves only by `elapse`. */
export async function withClock<T>(run: (elapse: (seconds: number) => void) => Promise<T>): Promise<T> {
  let ms = nowMs();
  setClock(() => ms);
  try {
    return await run((seconds) => {
      ms += seconds * 1000;
    });
  } finally {
    setClock();
  }
}

/** An idle poll takes one round trip for two keys. Once a minute it also writes the heartbeat. */
export const IDLE: Budget = { roundTrips: 1, readUnits: 1, writeUnits: 0 };
export const HEARTBEAT: Budget = { roundTrips: 2, readUnits: 1, writeUnits: 1 };
export const LIST: Budget = { roundTrips: 3, readUnits: 6 };
