/** The items in their order, in groups of at most `size`. */
export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, n * size + size));

/** Works on every item, on at most `limit` at the same time. @returns the results in the order of the items */
export async function eachAtOnce<T, R>(all: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of chunksOf(all, limit)) results.push(...(await Promise.all(chunk.map(work))));
  return results;
}
