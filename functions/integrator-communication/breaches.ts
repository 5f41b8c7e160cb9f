import { type Taken, takeBreaches } from '#shared/exposed-credentials/take-breaches.ts';
import { parseItem } from '#shared/leases/answers.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import { wakeViewsSoon } from '#shared/views/wake.ts';
import { IntegratorBreach } from './breach-item.ts';
import type { BreachBatchAnswer } from './routes.ts';

type Sender = { connections: Connections; table: Table; machineId: string };
type Result = BreachBatchAnswer['results'][number];

/** Keeps the usable records of a batch; one that is refused loses none of the others. */
export async function takeBreachBatch(
  { connections, table, machineId }: Sender,
  batch: readonly unknown[],
): Promise<BreachBatchAnswer> {
  const checked = batch.map((raw) => parseItem(IntegratorBreach, raw, 'externalId'));
  const told = checked.flatMap((one) => ('item' in one ? [toldOf(one.item)] : []));
  const taken = await takeBreaches({ connections, table, integratorId: machineId }, told);
  if ([...taken.values()].some(({ outcome }) => outcome !== 'unchanged')) await wakeViewsSoon({ connections, table });
  return { results: checked.map((one, index) => resultOf(one, index, taken)) };
}

function resultOf(
  one: ReturnType<typeof parseItem<IntegratorBreach>>,
  index: number,
  taken: ReadonlyMap<string, Taken>,
): Result {
  if ('item' in one)
    return { index, externalId: one.item.externalId, accepted: true, ...taken.get(one.item.externalId) };
  return { index, externalId: one.badId, accepted: false, code: 'validation_failed', message: one.message };
}

const toldOf = ({ externalId, breach, kind, account, secret, verified, url, leakedAt }: IntegratorBreach) => ({
  ...{ externalId, breach, kind },
  account: account ?? null,
  text: secret ?? undefined,
  verified: verified ?? null,
  location: url ?? undefined,
  leakedAt: leakedAt ?? undefined,
});
