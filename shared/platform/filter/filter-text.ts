import * as z from 'zod';

const MAX_TEXT = 2_000;

/** A filter in the form for people, or its JSON as text. */
export const FilterText = z.string().trim().min(1).max(MAX_TEXT);
