import { assetBits } from '#shared/assets/conditions/narrow.ts';
import type { ApplicationAssetRule } from '#shared/exposure/asset-rules/application-rule.ts';
import { changing, metBy } from '#shared/exposure/asset-rules/preview.ts';
import { both, countOf, without } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Counts the assets that a rule would link to an application, without doing it. */
export async function previewLinks(
  table: Table,
  applicationId: string,
  { condition }: Pick<ApplicationAssetRule, 'condition'>,
) {
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
    ...(await changing(table, newly)),
  };
}
