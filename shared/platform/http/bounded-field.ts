import * as z from 'zod';
import { NEAREST_TO_ZERO } from '../runtime/storable.ts';

/*
 * Fields of a machine's progress report. A long text is cut, a number outside its bounds becomes the nearest bound, and
 * a number too small for the table becomes 0: a refused report would cost the machine its lease.
 */

export const truncatedText = (most: number) =>
  z
    .string()
    .overwrite((text) => text.slice(0, most).toWellFormed())
    .max(most)
    .meta({ description: 'a longer text is truncated' });

export const clampedNumber = (least: number, most: number) =>
  z
    .number()
    .overwrite((value) => (Math.abs(value) < NEAREST_TO_ZERO ? 0 : Math.min(most, Math.max(least, value))))
    .min(least)
    .max(most)
    .meta({ description: 'a number outside of the bounds becomes the nearest bound' });
