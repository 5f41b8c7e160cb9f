import * as z from 'zod';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';

/** A record that decides on assets, as a change would leave it; null: the change removes it. */
export const RuleDraft = z.object({ of: z.string(), id: z.uuid(), record: z.custom<Stored>().nullable() });
export type RuleDraft = z.infer<typeof RuleDraft>;

/** The records as these changes would leave them, the oldest first. */
export function withDrafts<T extends Stored>(
  { name }: Entity<T>,
  records: readonly T[],
  drafts: readonly RuleDraft[],
): T[] {
  const own = drafts.filter(({ of }) => of === name);
  if (own.length === 0) return [...records];
  const left = records.filter((record) => !own.some(({ id }) => id === record.id));
  return [...left, ...own.flatMap(({ record }) => (record as T | null) ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
}
