import * as z from 'zod';
import { unstorable } from '../runtime/storable.ts';

/** Fields of any name and form, stored unchanged. Refuses a value that no record can hold, with its path. */
export const JsonFields = z.record(z.string(), z.unknown()).check((given) => {
  const problem = unstorable(given.value);
  if (problem) given.issues.push({ code: 'custom', input: given.value, ...problem });
});
