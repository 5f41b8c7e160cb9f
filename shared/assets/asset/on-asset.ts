import type { Fields } from '#shared/platform/filter/fields.ts';
import type { Filter } from '#shared/platform/filter/filter.ts';

const PREFIX = 'asset.';

/** The name of a field of the asset behind a record. */
export const behind = (name: string): string => PREFIX + name;

/** A condition on assets as a filter of records on such assets. */
export function onAsset({ all, any, not, field, ...leaf }: Filter): Filter {
  if (all) return { all: all.map(onAsset) };
  if (any) return { any: any.map(onAsset) };
  return not ? { not: onAsset(not) } : { ...leaf, field: behind(field ?? '') };
}

/** Whether one of the fields is read from the asset itself: the index has the other fields of assets. */
export const asksAsset = (fields: Fields, asks: readonly string[]): boolean =>
  asks.some((name) => name.startsWith(PREFIX) && fields[name]?.read !== undefined);
