import type { Dynamo } from '../../runtime/dynamo.ts';
import { type Key, PARTITION, type Row } from '../layout/keys.ts';
import { getParts, queryRows } from './read.ts';

/** A range read costs the bytes that it reads, a quarter of a unit for a record of 1 KB; a single read costs one unit at least. */
const SPARSE = 3;
/** A range read answers at most 1 MB at once, and several go beside each other. */
const LONGEST = 500;
/** Fewer are cheaper in one call for all. */
const FEW = 4;

type Run = { from: number; to: number };

/** Divides ordinals into runs of one partition with small gaps, and single ordinals. */
export function runsIn(ordinals: readonly number[], sparse: number): { runs: Run[]; alone: number[] } {
  const runs: Run[] = [];
  const alone: number[] = [];
  let open: number[] = [];
  const close = () => {
    const [from, to] = [open[0], open.at(-1)];
    if (open.length < FEW || from === undefined || to === undefined) alone.push(...open);
    else runs.push({ from, to });
    open = [];
  };
  for (const ordinal of [...new Set(ordinals)].sort((a, b) => a - b)) {
    const last = open.at(-1);
    if (last !== undefined && (ordinal - last > sparse || open.length === LONGEST || !isSamePartition(last, ordinal)))
      close();
    open.push(ordinal);
  }
  close();
  return { runs, alone };
}

const isSamePartition = (a: number, b: number): boolean => Math.floor(a / PARTITION) === Math.floor(b / PARTITION);

type Wanted = {
  ordinals: readonly number[];
  consistent?: boolean;
  /** The ordinals have no gaps. */
  dense?: boolean;
  /** The attributes of the rows, `sk` included; absent: all. */
  only?: readonly string[];
};

/**
 * The rows of these ordinals, in no particular order: range reads where ordinals are close together, otherwise single
 * reads.
 * @param keyOf their keys, whose partitions are the records' and whose order is the ordinals'
 */
export async function rowsOfOrdinals(
  dynamo: Dynamo,
  keyOf: (ordinal: number) => Key,
  { ordinals, consistent = false, dense = false, only }: Wanted,
): Promise<Row[]> {
  const { runs, alone } = runsIn(ordinals, dense ? Infinity : SPARSE);
  const wanted = new Set(ordinals.map((ordinal) => keyOf(ordinal).sk));
  const found = await Promise.all([
    getParts(dynamo, alone.map(keyOf), { consistent, only }),
    ...runs.map(({ from, to }) => {
      const [first, last] = [keyOf(from), keyOf(to)];
      return queryRows(dynamo, { pk: first.pk, from: first.sk, to: last.sk, consistent, only });
    }),
  ]);
  return found.flat().filter(({ sk }) => wanted.has(sk));
}
