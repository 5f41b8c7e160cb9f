import * as z from 'zod';

/** A token or an id that is sent in a header. A line break that was pasted with it would break the header. */
export const headerText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[\x21-\x7e]+$/, 'must be one word of visible ASCII characters, without spaces and line breaks');
