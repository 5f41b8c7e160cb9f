/** An object with a key for every value of an enum. */
export const perValue = <const V extends string, X>(values: readonly V[], of: (value: V) => X): Record<V, X> =>
  Object.fromEntries(values.map((value) => [value, of(value)])) as Record<V, X>;
