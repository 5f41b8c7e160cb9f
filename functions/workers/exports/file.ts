import type { Lacking } from '#shared/exposure/asset-rules/after-rules.ts';
import type { Place } from '#shared/platform/exports/records-file.ts';

/** The records of an export as texts of its file. */
export type Source = {
  head: string;
  /** Whether rules about assets decide which records the file has, or fill one of its columns. */
  followsRules: boolean;
  /** Of records that are a view. */
  lacking?: Lacking;
  /** The ordinals of the records, in the order of the file. */
  select: () => Promise<readonly number[]>;
  /** The texts of some records without the deleted ones. Moves the place. */
  texts: (place: Place, ordinals: readonly number[]) => Promise<string[]>;
  foot: (place: Place) => string;
  /** The result of the task. */
  result: (written: { records: number; entries: number; sizeBytes: number }) => Record<string, unknown>;
};

/** The value of a column: `asset.name` is the name in the asset. */
export const valueAt = (record: object, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => Object(value)[name], record);
