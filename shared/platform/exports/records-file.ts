import * as z from 'zod';

/** The place of the next text: after this many entries, in the run of a tool. */
export const Place = z.object({ entries: z.int(), tool: z.string().optional() });
export type Place = z.infer<typeof Place>;

export const START: Place = { entries: 0 };

/** A file that is written text by text, so that a worker goes on where another stopped. */
export type RecordsFile<T extends object = object> = {
  head: string;
  /** The text of one record, after the texts before; moves the place. */
  add: (place: Place, record: T) => string;
  foot: (place: Place) => string;
};
