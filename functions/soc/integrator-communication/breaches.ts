import type { Context } from '#shared/platform/table/context.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { takeBreaches } from '#shared/vulnerabilities/exposed-credentials/take-breaches.ts';
import { answerEach, checkEach, usable } from './batch.ts';
import { IntegratorBreach } from './breach-item.ts';
import type { BreachBatchAnswer } from './routes.ts';

type Sender = Context & { machineId: string };

/** Keeps the usable records of a batch. */
export async function takeBreachBatch(
  { connections, table, machineId }: Sender,
  batch: readonly unknown[],
): Promise<BreachBatchAnswer> {
  const checked = checkEach(IntegratorBreach, batch);
  const taken = await takeBreaches({ connections, table, integratorId: machineId }, usable(checked).map(toldOf));
  if ([...taken.values()].some(({ outcome }) => outcome !== 'unchanged')) await wakeViewsSoon({ connections, table });
  return { results: answerEach(checked, ({ externalId }) => taken.get(externalId)) };
}

const toldOf = ({ externalId, breach, kind, account, secret, verified, url, leakedAt }: IntegratorBreach) => ({
  externalId,
  breach,
  kind,
  account: account ?? null,
  text: secret ?? undefined,
  verified: verified ?? null,
  location: url ?? undefined,
  leakedAt: leakedAt ?? undefined,
});
