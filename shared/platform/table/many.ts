import type { Batch } from './batch.ts';
import { MAX_TRANSACTION } from './io/commit.ts';

/**
 * A batch of as many items, in their order, as fit into a transaction: when a part has too many rows, tries the number
 * that would fit if all items had equally many.
 * @param build adds the changes of some items, and further writes of the transaction
 * @returns the batch, and the items for the next one
 */
export async function batchOfMany<T>(
  newBatch: () => Batch,
  items: readonly T[],
  build: (batch: Batch, some: readonly T[]) => unknown,
): Promise<{ batch: Batch; some: readonly T[]; left: readonly T[] }> {
  for (let n = Math.min(items.length, MAX_TRANSACTION); ; ) {
    const [batch, some] = [newBatch(), items.slice(0, n)];
    await build(batch, some);
    const size = batch.size();
    if (size <= MAX_TRANSACTION || n <= 1) return { batch, some, left: items.slice(n) };
    n = Math.max(1, Math.floor((n * MAX_TRANSACTION) / size));
  }
}

/** Makes the changes of all items, in as many transactions as they need. */
export async function commitMany<T>(
  newBatch: () => Batch,
  items: readonly T[],
  add: (batch: Batch, item: T) => unknown,
): Promise<void> {
  for (let left = items; left.length > 0; ) {
    const part = await batchOfMany(newBatch, left, (batch, some) => {
      for (const item of some) add(batch, item);
    });
    await part.batch.commit();
    left = part.left;
  }
}
