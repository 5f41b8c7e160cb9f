import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

type Key = { pk: { S: string }; sk: { S: string } };
type Item = Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', { Key?: Key; Item?: Key } | undefined>;

/** Time for which a transaction holds its rows in the cloud, in addition to the time of the local engine. */
const HELD_MS = 8;

/**
 * Answers like DynamoDB when two transactions meet on a row. The local engine runs one transaction after the other and
 * never answers so.
 */
export function addContention({ client }: Dynamo): { conflicts: () => number; transactions: () => number } {
  const held = new Set<string>();
  let conflicts = 0;
  let transactions = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!String(context.commandName).startsWith('TransactWrite')) return next(args);
      const keys = keysOf(args.input as { TransactItems: Item[] });
      transactions++;
      if (keys.some((key) => held.has(key))) {
        conflicts++;
        throw conflict(keys.map((key) => held.has(key)));
      }
      for (const key of keys) held.add(key);
      try {
        const answer = await next(args);
        await new Promise((resolve) => setTimeout(resolve, HELD_MS));
        return answer;
      } finally {
        for (const key of keys) held.delete(key);
      }
    },
    { step: 'initialize', name: 'contention', priority: 'high' },
  );
  return { conflicts: () => conflicts, transactions: () => transactions };
}

const keysOf = ({ TransactItems }: { TransactItems: Item[] }): string[] =>
  TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
    const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key;
    return `${key?.pk.S}\n${key?.sk.S}`;
  });

function conflict(reasons: boolean[]): Error {
  const CancellationReasons = reasons.map((isHeld) => ({ Code: isHeld ? 'TransactionConflict' : 'None' }));
  const error = new Error('simulated conflict');
  return Object.assign(error, { name: 'TransactionCanceledException', CancellationReasons });
}
