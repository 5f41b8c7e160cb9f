import { metBy, sampleOf } from '#shared/asset-rules/preview.ts';
import { assetBits } from '#shared/conditions/narrow.ts';
import type { Condition } from '#shared/entities/condition.ts';
import { both, countOf, without } from '#shared/table/layout/bits.ts';
import type { Table } from '#shared/table/table.ts';

/** Counts the assets that a rule would link to an application, without doing it. */
export async function previewLinks(table: Table, applicationId: string, condition: Condition) {
  const values = [applicationId];
  const [{ bits, ...met }, linked, excluded] = await Promise.all([
    metBy(table, condition, true),
    assetBits(table, { name: 'application', values }),
    assetBits(table, { name: 'excluded', values }),
  ]);
  const free = without(bits, linked);
  const newly = without(free, excluded);
  return {
    ...met,
    matchCount: countOf(bits),
    newlyLinked: countOf(newly),
    alreadyLinked: countOf(both(bits, linked)),
    excluded: countOf(both(free, excluded)),
    sample: await sampleOf(table, newly),
  };
}
