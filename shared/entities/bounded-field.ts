import * as z from 'zod';

/*
 * Fields of a machine's progress report. A text that is too long is cut and a number outside its bounds is moved to the
 * nearest bound: a refused report would cost the machine its lease.
 */

export const truncatedText = (most: number) =>
  z
    .string()
    .overwrite((text) => text.slice(0, most).toWellFormed())
    .max(most)
    .meta({ description: 'a longer text is cut' });

export const clampedNumber = (least: number, most: number) =>
  z
    .number()
    .overwrite((value) => Math.min(most, Math.max(least, value)))
    .min(least)
    .max(most)
    .meta({ description: 'a number outside the bounds is moved to the nearest bound' });
