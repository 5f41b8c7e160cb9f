import { ApiError } from '../runtime/errors.ts';
import type { Write } from './io/commit.ts';
import { condition } from './io/row.ts';
import type { Keys } from './layout/keys.ts';

/** The writes that move the unique values of a record from those that it had to those that it has. */
export function uniqueWrites(keys: Keys, { id, had, has }: { id: string; had: Unique; has: Unique }): Write[] {
  const writes: Write[] = [];
  for (const field of new Set([...Object.keys(had), ...Object.keys(has)])) {
    const [old, value] = [had[field] ?? undefined, has[field] ?? undefined];
    if (old === value) continue;
    if (old !== undefined) writes.push({ remove: keys.unique(field, old) });
    if (value !== undefined)
      writes.push({
        put: { ...keys.unique(field, value), id },
        condition: condition('absent'),
        fail: () => taken(field, value),
      });
  }
  return writes;
}

type Unique = Record<string, string | null | undefined>;

const taken = (field: string, value: string): ApiError =>
  new ApiError('conflict', `Another record has this ${field} already.`, {
    details: [{ path: field, message: `${value} is taken` }],
  });
