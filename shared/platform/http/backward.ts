import * as z from 'zod';
import { numberIn } from './pagination.ts';

/** The parameters of a list that is read from its newest row backward. @param place the form of `next` */
export const backwardQuery = (place: RegExp, most = 100) =>
  z.object({
    before: z
      .string()
      .regex(place, 'must be `next` of an answer of this operation')
      .optional()
      .meta({ description: '`next` of the previous answer' }),
    limit: numberIn(z.int().min(1).max(most))
      .default(50)
      .meta({ description: 'maximum number of entries in the answer' }),
  });

/** The answer with a page of such a list. */
export const backwardPageOf = <T extends z.ZodType>(entry: T) =>
  z.object({
    data: z.array(entry),
    next: z
      .string()
      .nullable()
      .meta({ description: 'send it as `before` to get the next page; null: there are no more' }),
  });

/** Behind the keys of all rows. */
const END = '~';

type Range = { before?: string | undefined; limit: number };
type Read<T> = (range: { between: { from: string; to: string }; backward: true; limit: number }) => Promise<T[]>;

/**
 * A page of rows, newest first, and the place of its last row if more follow.
 * @param placeOf the sort key of a row
 */
export async function readBackward<T>(
  read: Read<T>,
  { before = END, limit }: Range,
  placeOf: (row: T) => string,
): Promise<{ data: T[]; next: string | null }> {
  const rows = await read({ between: { from: '0', to: before }, backward: true, limit: limit + 2 });
  const older = rows.filter((row) => placeOf(row) !== before);
  const data = older.slice(0, limit);
  const last = data.at(-1);
  return { data, next: older.length > limit && last !== undefined ? placeOf(last) : null };
}
