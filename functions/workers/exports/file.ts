import * as z from 'zod';
import type { Lacking } from '#shared/exposure/asset-rules/after-rules.ts';
import { Place as PlaceInFile } from '#shared/platform/exports/records-file.ts';
import { EventExportResult } from '#shared/soc/hunting/export.ts';

/**
 * The place of the next text, also behind the cursor of a search, whose newest events are `shown` in the result. `matches` of rules, by their ordinals
 * in the base 36.
 */
export const Place = PlaceInFile.extend({
  cursor: z.string().optional(),
  matches: z.record(z.string(), z.int().nullable()).optional(),
  shown: EventExportResult.shape.newest.optional(),
});
export type Place = z.infer<typeof Place>;

/** The records of an export as texts of its file. */
export type Source = {
  head: string;
  /** Whether rules about assets decide which records the file has, or fill one of its columns. */
  followsRules: boolean;
  /** Of records that are a view. */
  lacking?: Lacking;
  foot: (place: Place) => string;
  /** The result of the task. */
  result: (written: Written) => Record<string, unknown>;
} & (Selected | Paged);

type Written = { records: number; reached: number; sizeBytes: number; place: Place };

type Selected = {
  /** The ordinals of the records, in the order of the file. */
  select: () => Promise<readonly number[]>;
  /** The texts of some records without the deleted ones. Moves the place. */
  texts: (place: Place, ordinals: readonly number[]) => Promise<string[]>;
};

type Paged = {
  /** The next texts of records that are found as they are read. Moves the place. */
  page: (place: Place) => Promise<Page>;
};

/** `done` of `total` records were looked at, whether they are in the file or not. */
export type Page = { texts: string[]; done: number; total: number; isLast: boolean };

/** The value of a column: `asset.name` is the name in the asset. */
export const valueAt = (record: object, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => Object(value)[name], record);
