import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#shared/auth/permissions.ts';
import { Finding, findings, type StoredFinding } from '#shared/entities/finding.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { acceptanceWrites } from '#shared/findings/acceptance.ts';
import { historyWrite } from '#shared/findings/history.ts';
import { findingView } from '#shared/findings/view.ts';
import { mergePatch } from '#shared/http/records.ts';
import { now } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { triage } from './triage.ts';

type FindingPatch = { patch: Partial<Record<string, unknown>> & { reason?: string | null }; ifMatch?: string };
type Change = { table: Table; caller: Caller; id: string } & FindingPatch;

/** Repeats the change on the finding as it then is when a scan came between. */
export const updateFinding = (change: Change): Promise<StoredFinding> => retry(() => attemptUpdate(change));

async function attemptUpdate({ table, caller, id, patch, ifMatch }: Change): Promise<StoredFinding> {
  const standing = await table.get(findings, id, true);
  const { reason } = patch;
  const wanted = mergePatch(Finding, findingView(standing, undefined), { patch, ifMatch });
  if (!wanted) return standing;
  const assignee = wanted.assigneeId ? await personOf(table, caller, wanted.assigneeId) : undefined;
  const at = now();
  const changes = triage(standing, wanted, { at, reason: reason ?? undefined, assignee });
  const batch = table.batch();
  const next = batch.update(findings, standing, table.changed(standing, changes));
  batch.write(
    ...acceptanceWrites(table, standing, next),
    historyWrite(table, {
      findingId: id,
      version: next.version,
      at,
      by: table.actor,
      changes: differences(standing, next),
      reason: reason ?? wanted.statusReason ?? undefined,
    }),
  );
  await batch.commit();
  return next;
}

const KEPT = ['status', 'severity', 'assignee', 'tags', 'dueAt', 'acceptedUntil', 'statusReason', 'priority'] as const;

function differences(before: StoredFinding, after: StoredFinding) {
  const changed = KEPT.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]));
}

async function personOf(table: Table, caller: Caller, id: string) {
  if (id === caller.id) return { id, name: caller.name };
  const account = await table.find(serviceAccounts, id);
  if (!account || account.revokedAt !== null)
    throw invalid('assigneeId', 'must be the id of a service account of this organization, or your own');
  return { id, name: account.name };
}
