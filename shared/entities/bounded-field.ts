import * as z from 'zod';

/*
 * What a machine tells of its work beside what matters. A text that is too long is cut and a number out of its bounds
 * brought into them: the lease that is renewed with it is worth more.
 */

export const truncatedText = (most: number) =>
  z
    .string()
    .overwrite((text) => text.slice(0, most).toWellFormed())
    .max(most)
    .meta({ description: 'a longer one is cut' });

export const clampedNumber = (least: number, most: number) =>
  z
    .number()
    .overwrite((value) => Math.min(most, Math.max(least, value)))
    .min(least)
    .max(most)
    .meta({ description: 'one beyond is taken as the nearest' });
