import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import { both, countOf } from '#shared/platform/table/layout/bits.ts';
import { seenIn } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** Counts the vulnerabilities of each group that were fixed since a day, and of these the ones that were due before. */
export async function fixedInTimeOf({ dynamo, tenant, part }: Table, whose: readonly Marked[], since: string) {
  const bitsOf = (marked: Marked) => combinedBits({ dynamo, tenant, entity: vulnerabilities }, marked);
  const fixed: Marked = { all: [seenIn(vulnerabilities, part), { order: 'fixed', from: since }] };
  const [owned, late] = await Promise.all([
    Promise.all(whose.map((marked) => bitsOf({ all: [marked, fixed] }))),
    bitsOf({ name: 'late', values: ['true'] }),
  ]);
  return owned.map((own) => ({ fixed: countOf(own), late: countOf(both(own, late)) }));
}
