import type { Dynamo } from '../runtime/dynamo.ts';
import { runsOf } from './combined.ts';
import type { Entity } from './entity.ts';
import { queryDigits } from './io/read.ts';
import { type Bits, countsOf, onesOf, wordOf } from './layout/bits.ts';
import { WORD_BITS } from './layout/digits.ts';
import { blockIn, keysOf } from './layout/keys.ts';
import { cellMatches } from './layout/positions.ts';

type Filter = Readonly<Record<string, string>>;
type Place = { dynamo: Dynamo; tenant: string; entity: Pick<Entity, 'name' | 'shards' | 'main'> };

/**
 * Counts these records by the values of their dimensions, and those of them that are in `some` too. A row of masks has all
 * dimensions of 720 findings in the bits that marks have for each value; only the blocks of the records are read, in one
 * round trip.
 */
export async function countedIn({ dynamo, tenant, entity }: Place, bits: Bits, some: Bits = new Map()) {
  const { main } = entity;
  const keys = keysOf(tenant, entity);
  const blocks = [...countsOf(bits, main.span)].flatMap(([block, n]) => (n > 0 ? block : []));
  const runs = runsOf(blocks.sort((a, b) => a - b));
  const rows = await Promise.all(runs.map(({ first, last }) => queryDigits(dynamo, keys.masks('', first, last))));
  const [counts, ofSome] = [new Map<number, number>(), new Map<number, number>()];
  const length = main.span / WORD_BITS;
  for (const row of rows.flat()) {
    const { words } = row;
    const first = blockIn(row.sk) * length;
    for (let n = 0; n < length; n++) {
      const planes = Array.from({ length: main.planes }, (_, plane) => words[plane * length + n] ?? 0);
      const word = wordOf(bits, first + n);
      addCells(counts, word, planes);
      addCells(ofSome, word & wordOf(some, first + n), planes);
    }
  }
  const countIn = (cells: Map<number, number>) => (filter: Filter) =>
    [...cells].reduce((sum, [cell, n]) => sum + (cellMatches(main, cell, filter) ? n : 0), 0);
  return { of: countIn(counts), ofSome: countIn(ofSome) };
}

/** Divides records by their planes, of which the first is bit 0 of the cell. Cell 0: a row has no such record. */
function addCells(counts: Map<number, number>, some: number, planes: readonly number[], [plane, cell] = [0, 0]): void {
  if (some === 0) return;
  const mask = planes[plane];
  if (mask === undefined) {
    if (cell !== 0) counts.set(cell, (counts.get(cell) ?? 0) + onesOf(some));
    return;
  }
  addCells(counts, some & mask, planes, [plane + 1, cell | (1 << plane)]);
  addCells(counts, some & ~mask, planes, [plane + 1, cell]);
}
