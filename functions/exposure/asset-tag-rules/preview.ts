import { assetBits } from '#shared/assets/conditions/narrow.ts';
import type { AssetTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { changing, metBy } from '#shared/exposure/asset-rules/preview.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { both, countOf, without } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Counts the assets that a rule would tag, without doing it. */
export async function previewTags(table: Table, { condition, tags }: Pick<AssetTagRule, 'condition' | 'tags'>) {
  const [{ bits, ...met }, ...tagged] = await Promise.all([
    metBy(table, condition, false),
    ...tags.map((tag) => assetBits(table, { name: 'tag', values: [caseless(tag)] })),
  ]);
  const already = tagged.reduce(both, bits);
  const lacking = without(bits, already);
  const counts = { matchCount: countOf(bits), newlyTagged: countOf(lacking), alreadyTagged: countOf(already) };
  return { ...met, ...counts, ...(await changing(table, lacking)) };
}
