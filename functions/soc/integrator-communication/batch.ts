import * as z from 'zod';
import { parseItem } from '#shared/scanning/leases/answers.ts';

/** The answer about one item of a batch; `more` has the result. */
export const answerOf = <S extends z.ZodRawShape>(more: S) =>
  z.object({
    index: z.int().nonnegative(),
    accepted: z.boolean(),
    ...more,
    code: z.string().optional(),
    message: z.string().optional(),
  });

type Named = { externalId: string };
type Checked<T> = ReturnType<typeof parseItem<T>>;

/** Checks each item separately. */
export const checkEach = <T extends Named>(schema: z.ZodType<T>, batch: readonly unknown[]): Checked<T>[] =>
  batch.map((raw) => parseItem(schema, raw, 'externalId'));

export const usable = <T>(checked: readonly Checked<T>[]): T[] =>
  checked.flatMap((one) => ('item' in one ? [one.item] : []));

/** The answers in the order of the batch: a refused item does not affect the others. */
export const answerEach = <T extends Named, R extends object>(
  checked: readonly Checked<T>[],
  became: (item: T) => R | undefined,
) =>
  checked.map((one, index) =>
    'item' in one
      ? { index, externalId: one.item.externalId, accepted: true, ...became(one.item) }
      : { index, externalId: one.badId, accepted: false, code: 'validation_failed', message: one.message },
  );
