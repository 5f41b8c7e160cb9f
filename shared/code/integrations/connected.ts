import { sealWrite } from '#shared/credentials/sealed.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Problem } from './health.ts';
import type { Integration, integrations } from './integration.ts';
import type { RotatedSecret } from './rotation.ts';
import { type IntegrationSecret, readSecret, rotated } from './secret.ts';

/** A record of another, connected service: its sealed secrets are in rows beside it. */
type Connected = Stored & Pick<Integration, 'secretUpdatedAt'>;
type Named = { entity: Pick<typeof integrations, 'name'>; id: string };

/** The status of a connection that was turned on or off. */
export const statusOf = (enabled: boolean): 'connected' | 'disabled' => (enabled ? 'connected' : 'disabled');

export const sealSecret = ({ connections, table }: Context, id: string, secret: IntegrationSecret): Promise<Write> =>
  sealWrite({ connections, table }, { purpose: 'integration', id, secret });

/** @throws not_found */
async function secretOf({ connections, table }: Context, { entity: { name }, id }: Named): Promise<IntegrationSecret> {
  const secret = await readSecret({ connections, table }, id);
  if (!secret) throw notFound(name, id);
  return secret;
}

/** Seals another access beside the webhook's secret, which stays; null removes the access. */
export async function sealAccess(
  context: Context,
  named: Named,
  access: IntegrationSecret['access'] | null,
): Promise<Write> {
  const { access: _former, ...secret } = await secretOf(context, named);
  return sealSecret(context, named.id, { ...secret, ...(access && { access }) });
}

/** Replaces the secret of a webhook, also while a delivery notes its time in the record. */
export async function rotateSecret<T extends Connected>(
  context: Context,
  { entity, id }: { entity: Entity<T>; id: string },
  overlapSeconds: number,
): Promise<RotatedSecret> {
  const { table } = context;
  return retry(async () => {
    const current = await table.get(entity, id, true);
    const secret = rotated(await secretOf(context, { entity, id }), overlapSeconds);
    await table.update(entity, current, { secretUpdatedAt: now() } as Partial<T>, async (batch) =>
      batch.write(await sealSecret(context, id, secret)),
    );
    return { webhookSecret: secret.webhook, previousWorksUntil: secret.former?.until ?? null };
  }, isConflict);
}

type Asking<A> = { ask: () => Promise<A>; note: (problem: Problem | undefined) => Promise<void> };

/** Asks another service for the first time, and notes whether it answered. A connection without an access has no health. */
export async function tryAccess<A>({ ask, note }: Asking<A>): Promise<{ answer: A } | { error: Problem }> {
  try {
    const answer = await ask();
    await note(undefined);
    return { answer };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const problem = { code: error.code, message: error.message };
    if (problem.code !== 'no_token') await note(problem);
    return { error: problem };
  }
}
