/**
 * The one table, from which both the CDK construct and the local set-up are made. No index: what an index would
 * answer, the position and search rows answer for less (docs/decisions/0001-store.md).
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
} as const;
