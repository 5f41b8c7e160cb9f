import { expect, test } from 'vitest';
import { type Asset, assetFields, assets } from '#shared/assets/asset/asset.ts';
import type { AssetField } from '#shared/assets/asset/asset-field.ts';
import { AssetView } from '#shared/assets/asset/view.ts';
import { type FieldsWhere, fieldsWhere } from '#shared/platform/table/field-table.ts';

/** A field that an asset does not have yet. */
type Later = Asset & { costCenter?: string };
const costCenter = {
  saidBy: 'person',
  merge: 'union',
  rules: false,
  identity: false,
  feed: 'value',
  shown: true,
} as const;

test('a new field of an asset is asked for by the compiler, first in the table of fields', () => {
  // @ts-expect-error the table lacks the field
  const lacking = assetFields satisfies Record<keyof Later, AssetField>;
  const later = { ...lacking, costCenter } as const satisfies Record<keyof Later, AssetField>;
  // @ts-expect-error who says the field is missing
  const silent: AssetField = { ...costCenter, saidBy: undefined };
  expect(silent.saidBy).toBeUndefined();

  type Both = Record<FieldsWhere<typeof later, 'merge', 'union'>, true>;
  const rules = { aliases: true, tags: true, links: true, exclusions: true, identifiers: true, looks: true } as const;
  // @ts-expect-error a merge by a rule lacks the rule of the field
  const unruled: Both = { ...rules, firstSeenAt: true, lastSeenAt: true, sources: true };
  expect(Object.keys(unruled).sort()).toEqual(fieldsWhere(assetFields, 'merge', 'union').sort());

  expect(fieldsWhere(later, 'saidBy', 'person')).toContain('costCenter');
  expect(fieldsWhere(later, 'rules', false)).toContain('costCenter');
  expect(fieldsWhere(later, 'feed', 'value')).toContain('costCenter');
});

test('an asset is answered with the fields that its table shows, and the feed reports the values that it names', () => {
  const shown = fieldsWhere(assetFields, 'shown', true);
  expect(Object.keys(AssetView.shape)).toEqual(expect.arrayContaining(shown));
  const instead = Object.values(assetFields).flatMap(({ shown }) => (typeof shown === 'string' ? [shown] : []));
  expect(Object.keys(AssetView.shape)).toEqual(expect.arrayContaining(instead));
  const hidden = Object.entries(assetFields).flatMap(([name, field]) => (field.shown === true ? [] : [name]));
  // the answer has links of its own, to the lists of its figures
  for (const name of hidden.filter((one) => one !== 'links')) expect(AssetView.shape).not.toHaveProperty(name);
  expect(assets.feedFields).toEqual(fieldsWhere(assetFields, 'feed', 'value'));
});
