import {
  OrganizationDeletion,
  organizationDeletionStates,
  organizations,
  type StoredDeletion,
  type StoredOrganization,
} from '#shared/credentials/organization.ts';
import { assertSecondOwner, holdersOf } from '#shared/credentials/second-person.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { changeOf } from '#shared/platform/table/changes.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, openTable, type Table } from '#shared/platform/table/table.ts';
import { moveTimer, type TimerKind } from '#shared/platform/timers/timers.ts';
import { assertNoProvider } from './work.ts';

/** The time in which an approved deletion can be cancelled. */
const GRACE_DAYS = 7;

type Deciding = { table: Table; caller: Caller };
type Named = { organizationId: string; name: string };

/**
 * Requests the deletion of an organization. Nothing is deleted before another person has approved it.
 * @throws not_found, validation_failed for another name, conflict for an organization of the provider and for a current
 * deletion
 */
export const requestDeletion = ({ table, caller }: Deciding, asked: Named): Promise<OrganizationDeletion> =>
  changeDeletion(table, asked.organizationId, async (organization) => {
    assertName(organization, asked.name);
    await assertNoProvider(table, inOrganization(table, organization.id));
    const before = organization.deletion;
    return {
      organizationId: organization.id,
      version: (before?.version ?? 0) + 1,
      status: before ? next(before, 'request') : 'requested',
      requestedBy: personOf(caller),
      requestedAt: now(),
      approvedBy: null,
      approvedAt: null,
      deletionAt: null,
      cancelledBy: null,
      cancelledAt: null,
      taskId: null,
      requester: { organizationId: table.organizationId, holders: await holdersOf(table, caller.id) },
    };
  });

/**
 * Approves a deletion that another person asked for, and begins the days of grace.
 * @throws not_found, validation_failed for another name, conflict for the same person and for a deletion that does not wait for it
 */
export const approveDeletion = ({ table, caller }: Deciding, approved: Named): Promise<OrganizationDeletion> =>
  changeDeletion(table, approved.organizationId, async (organization) => {
    assertName(organization, approved.name);
    const deletion = deletionOf(organization);
    const status = next(deletion, 'approve');
    await assertSecondOwner(table, caller, deletion.requester.holders);
    const deletionAt = new Date(nowMs() + GRACE_DAYS * DAY_MS).toISOString();
    return { ...changed(deletion), status, approvedBy: personOf(caller), approvedAt: now(), deletionAt };
  });

/**
 * Cancels a deletion, by the provider or the organization. @throws not_found, conflict for a deletion that has begun or
 * was cancelled
 */
export const cancelDeletion = ({ table, caller }: Deciding, organizationId: string): Promise<OrganizationDeletion> =>
  changeDeletion(table, organizationId, async (organization) => {
    const deletion = deletionOf(organization);
    return {
      ...changed(deletion),
      status: next(deletion, 'cancel'),
      cancelledBy: personOf(caller),
      cancelledAt: now(),
      deletionAt: null,
    };
  });

/** The deletion that was asked for last. @throws not_found */
export async function readDeletion(dynamo: Dynamo, organizationId: string): Promise<OrganizationDeletion> {
  return OrganizationDeletion.parse(deletionOf(await read(dynamo, organizationId)));
}

/** When an approved deletion begins; undefined if none is approved. */
export async function deletionTime(dynamo: Dynamo, organizationId: string): Promise<string | undefined> {
  const organization = await openTable(dynamo, GLOBAL_SCOPE).find(organizations, organizationId);
  const { status, deletionAt } = organization?.deletion ?? {};
  return status === 'approved' && deletionAt ? deletionAt : undefined;
}

/** The account that requested the deletion; the deletion's task is in its organization. */
export const openRequester = (dynamo: Dynamo, { requester, requestedBy }: StoredDeletion): Table =>
  openTable(dynamo, requester.organizationId, {
    kind: 'system',
    ...requestedBy,
    cause: { operation: `timer-${DELETION_TIMER}` },
  });

export const DELETION_TIMER = 'organization-deletion' satisfies TimerKind;

/** When the timer of a deletion goes off; undefined without a deletion. */
export const graceEnd = (deletion: StoredDeletion | undefined): number | undefined =>
  deletion?.status === 'approved' && deletion.deletionAt ? Date.parse(deletion.deletionAt) : undefined;

/** The deletion once its task exists. */
export const begun = (deletion: StoredDeletion, taskId: string): StoredDeletion => ({
  ...changed(deletion),
  status: next(deletion, 'begin'),
  taskId,
});

type Current = { organization: StoredOrganization; deletion: StoredDeletion };

/** Adds a change of a deletion to a batch, with its timer; the logs of both organizations record it. */
export function putDeletion(batch: Batch, table: Table, { organization, deletion }: Current): void {
  const { id, deletion: before } = organization;
  const all = inOrganization(table, GLOBAL_SCOPE);
  batch.within(GLOBAL_SCOPE).update(organizations, organization, all.changed(organization, { deletion }));
  batch.write(...moveTimer({ kind: DELETION_TIMER, organizationId: id, id }, graceEnd(before), graceEnd(deletion)));
  const change = changeOf(REPORTED, { before: before && { ...before, id }, after: { ...deletion, id } });
  const sides = new Set([id, deletion.requester.organizationId, table.organizationId]);
  for (const side of sides) if (change) batch.within(inOrganization(table, side).tenant).announce(change);
}

const REPORTED = { name: 'organization-deletion', feedFields: ['status', 'deletionAt'] };

const read = (dynamo: Dynamo, organizationId: string): Promise<StoredOrganization> =>
  openTable(dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);

type Decide = (organization: StoredOrganization) => Promise<StoredDeletion>;

const changeDeletion = (table: Table, organizationId: string, decide: Decide): Promise<OrganizationDeletion> =>
  retry(async () => {
    const organization = await read(table.dynamo, organizationId);
    const deletion = await decide(organization);
    await table.commit((batch) => putDeletion(batch, table, { organization, deletion }));
    return OrganizationDeletion.parse(deletion);
  }, isConflict);

const changed = (deletion: StoredDeletion): StoredDeletion => ({ ...deletion, version: deletion.version + 1 });

function deletionOf({ id, deletion }: StoredOrganization): StoredDeletion {
  if (!deletion) throw notFound('deletion of the organization', id);
  return deletion;
}

const next = ({ status }: StoredDeletion, verb: 'request' | 'approve' | 'cancel' | 'begin') =>
  nextState(organizationDeletionStates, {
    state: status,
    verb,
    name: 'deletion of an organization',
    offers: ['request', 'approve', 'cancel'],
  });

function assertName(organization: StoredOrganization, name: string): void {
  if (organization.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
}

function personOf(caller: Caller): { id: string; name: string } {
  const { id, name } = caller;
  return { id, name };
}
