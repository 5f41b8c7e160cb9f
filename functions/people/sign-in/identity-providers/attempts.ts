import { now } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { RefusedSignIn } from './protocol.ts';

/** Anybody can fail, as often as they like: the newest failures are kept. */
const MAX_KEPT = 100;

type Attempt = { at: string; reason: RefusedSignIn['reason']; message: string; email: string | null };

type Attempts = { providerId: string; failed: Attempt[]; succeededAt: string | null; change: number };

export const attemptRows = defineRow<Attempts, Pick<Attempts, 'providerId'>>({
  name: 'provider-attempts',
  about: 'the newest failed sign-ins at an identity provider, and the time of the last that succeeded',
  key: ({ providerId }) => [providerId],
});

const NONE = { failed: [], succeededAt: null, change: 0 };

async function attemptsOf(table: Table, providerId: string): Promise<Attempts> {
  return (await table.rows(attemptRows).find({ providerId }, true)) ?? { providerId, ...NONE };
}

/** The failed sign-ins of a provider, the newest first. */
export const failedAttempts = async (table: Table, providerId: string): Promise<Attempt[]> =>
  (await attemptsOf(table, providerId)).failed;

/** The failure since which nobody has signed in, by the id of the provider. */
export async function lastErrors(table: Table, providerIds: readonly string[]): Promise<Map<string, Attempt>> {
  const rows = await table.rows(attemptRows).findMany(providerIds.map((providerId) => ({ providerId })));
  return new Map(
    rows.flatMap(({ providerId, failed: [last], succeededAt }) =>
      last && last.at > (succeededAt ?? '') ? [[providerId, last] as const] : [],
    ),
  );
}

export const noteFailure = (table: Table, providerId: string, attempt: Omit<Attempt, 'at'>): Promise<void> =>
  change(table, providerId, ({ failed }) => ({ failed: [{ ...attempt, at: now() }, ...failed].slice(0, MAX_KEPT) }));

export const noteSuccess = (table: Table, providerId: string): Promise<void> =>
  change(table, providerId, () => ({ succeededAt: now() }));

const change = (table: Table, providerId: string, step: (before: Attempts) => Partial<Attempts>): Promise<void> =>
  retry(async () => {
    const before = await attemptsOf(table, providerId);
    const row = { ...before, ...step(before), change: before.change + 1 };
    const expect = before.change === 0 ? ('absent' as const) : { change: before.change };
    await table.write(putWrite(table.tenant, attemptRows, { row, expect, fail: () => new Overtaken() }));
  });

export const forgetAttempts = (table: Table, providerId: string) => ({
  remove: rowKey(table.tenant, attemptRows, { providerId }),
});
