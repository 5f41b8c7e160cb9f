import type { Field, Fields } from '#shared/platform/filter/fields.ts';
import { type AssetFacts, ruledFields } from './asset-filter-fields.ts';
import { behind } from './on-asset.ts';

/** A record of which rules also see the asset; without it, the asset was deleted, or no rule asks for it. */
type OnAsset = { behind?: AssetFacts | undefined };

const readBehind =
  (read: NonNullable<Field['read']>) =>
  ({ behind: asset }: OnAsset, key: string): readonly string[] =>
    asset ? read(asset as never, key) : [];

/** The fields of the asset behind a record, as rules read them from the asset. */
export const behindFields: Fields = Object.fromEntries(
  Object.entries<Field>(ruledFields).flatMap(([name, { about, example, read, ...field }]): [string, Field][] => {
    if (!read) return [];
    const names = field.kind === 'address' || field.kind === 'names' ? field : { kind: 'names' as const };
    const { narrowed: _of, ...kept } = { narrowed: undefined, ...names };
    const values = field.kind === 'choice' ? { values: field.values, caseless: true as const } : {};
    const ofAsset = { about: `${about}, of its asset`, example, read: readBehind(read) };
    return [[behind(name), { ...kept, ...values, ...ofAsset } as Field]];
  }),
);
