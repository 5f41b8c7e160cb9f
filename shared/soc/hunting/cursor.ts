import * as z from 'zod';
import { invalid } from '#shared/platform/runtime/errors.ts';

const Place = z.tuple([z.string(), z.string()]);

/**
 * The place where a search continues: from the segment `after` (the end of its times, its id); in these segments only
 * events older than `before` (time, id) count.
 */
const Cursor = z.object({ from: z.string(), to: z.string(), after: Place.optional(), before: Place.optional() });
export type Cursor = z.infer<typeof Cursor>;

export const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** @throws validation_failed for a text that no answer had */
export function readCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalid('cursor', 'must be the cursor of an earlier answer; leave it out to begin');
  }
}
