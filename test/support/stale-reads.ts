import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

type Item = Record<string, unknown>;
type Input = { ConsistentRead?: boolean; RequestItems?: Record<string, { ConsistentRead?: boolean }> };
type Output = { Items?: Item[]; Item?: Item; Responses?: Record<string, Item[]> };

/**
 * Lets eventually consistent reads of this connection answer each row, now and then, as it was when it was first read
 * here: what a replica that is a moment behind does. Rows of one answer are independent of each other.
 */
export function replayOldRows({ client }: Dynamo): { replayed: () => number } {
  const first = new Map<string, Item>();
  let turn = 0;
  let replayed = 0;
  const aged = (item: Item): Item => {
    const key = JSON.stringify([item.pk, item.sk]);
    const known = first.get(key);
    if (!known) first.set(key, item);
    if (!known || turn++ % 2 === 0) return item;
    first.set(key, item);
    replayed++;
    return known;
  };
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      if (isConsistent(args.input as Input)) return answer;
      const output = (answer as { output: Output }).output;
      if (output.Items) output.Items = output.Items.map(aged);
      if (output.Item) output.Item = aged(output.Item);
      for (const [table, items] of Object.entries(output.Responses ?? {}))
        Object.assign(output.Responses ?? {}, { [table]: items.map(aged) });
      return answer;
    },
    { step: 'initialize', name: 'replay-old-rows', priority: 'high' },
  );
  return { replayed: () => replayed };
}

/** A request for many rows says so per table. */
const isConsistent = ({ ConsistentRead, RequestItems }: Input): boolean =>
  RequestItems ? Object.values(RequestItems).every((wanted) => wanted.ConsistentRead) : ConsistentRead === true;
