import * as z from 'zod';
import type { Finding } from '#shared/entities/finding.ts';
import type { ExportColumn } from '#shared/findings/export.ts';

/** Where the next text goes: behind so many entries, in the run of a tool. */
export const Place = z.object({ entries: z.int(), tool: z.string().optional() });
export type Place = z.infer<typeof Place>;

export const START: Place = { entries: 0 };

/** A file that is written text by text, so that a worker goes on where another stopped. */
export type FindingsFile = {
  head: string;
  /** The text of one finding, behind those before it; moves the place. */
  add: (place: Place, finding: Finding) => string;
  foot: (place: Place) => string;
};

/** The value of a column: `asset.name` is the name in the asset. */
export const valueAt = (finding: Finding, column: ExportColumn): unknown =>
  column.split('.').reduce<unknown>((value, name) => Object(value)[name], finding);
