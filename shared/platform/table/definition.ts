/**
 * The one table: the stack and the local system are made from this. It has no index, because position and search rows
 * answer the same questions for less (docs/decisions/0001-store.md).
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
} as const;
