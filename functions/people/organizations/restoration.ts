import * as z from 'zod';
import { assertSecondOwner, holdersOf } from '#shared/credentials/second-person.ts';
import { assertMayBeEmptied, queueOrganizationWork } from '#shared/organizations/work.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { Timestamp } from '#shared/platform/http/records.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { timeOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { readManifest } from '#shared/platform/table/upkeep/copies.ts';

/** Later than this nobody remembers which state the copy has. */
const VALID_SECONDS = 86_400;

/** The restoration of an organization that waits for a second person. */
export const RequestedRestoration = z
  .object({
    organizationId: z.uuid(),
    copyId: z.uuid(),
    requestedBy: z.object({ id: z.string(), name: z.string() }),
    requestedAt: Timestamp,
    expiresAt: Timestamp.meta({ description: 'until then a second person can approve the restoration' }),
  })
  .meta({ id: 'RequestedRestoration' });
type RequestedRestoration = z.infer<typeof RequestedRestoration>;

/** The same as the administrators of the organization see it. */
export const OwnRestoration = RequestedRestoration.extend({
  copyAt: Timestamp.meta({ description: 'the time of the copy: data of later times are lost' }),
  message: z.string().meta({ description: 'what the restoration does' }),
}).meta({ id: 'OwnRestoration' });

type RequestRow = RequestedRestoration & { holders: readonly string[] };

export const restorationRequests = defineRow<RequestRow, Pick<RequestRow, 'organizationId'>>({
  name: 'restoration-request',
  about:
    'the restoration of an organization that a platform owner requested last, until another one approves it; no copy has it',
  key: ({ organizationId }) => [organizationId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

const requestsOf = ({ table }: Context) => openTable(table.dynamo, GLOBAL_SCOPE).rows(restorationRequests);

/** The restoration of the caller's organization that waits for a second person. @throws not_found without one */
export async function readOwnRestoration({ table, connections }: Context): Promise<z.infer<typeof OwnRestoration>> {
  const { organizationId } = table;
  const request = await requestsOf({ table, connections }).find({ organizationId }, true);
  // an expired row may stay for days
  if (!request || request.expiresAt <= now()) throw notFound('requested restoration of', organizationId);
  const { holders: _holders, ...shown } = request;
  const manifest = await readManifest(connections.bucket, shown);
  const copyAt = manifest?.at ?? new Date(timeOf(request.copyId)).toISOString();
  const message =
    `The restoration waits for a second person of the provider, until ${request.expiresAt}. Once that person approves, the organization ` +
    `becomes as it was at ${copyAt}: later data are lost, and callers wait for some minutes. To prevent it, ask the provider.`;
  return { ...shown, copyAt, message };
}

type Deciding = Context & { caller: Caller };
type Restoration = { organizationId: string; copyId: string; name: string };

/** Asks for the restoration of an organization, in place of an earlier request. @throws as `assertRestorable` */
export async function requestRestoration(deciding: Deciding, asked: Restoration): Promise<RequestedRestoration> {
  await assertRestorable(deciding, asked);
  const { table, caller } = deciding;
  const { organizationId, copyId } = asked;
  const requestedBy = { id: caller.id, name: caller.name };
  const times = { requestedAt: now(), expiresAt: inSeconds(VALID_SECONDS) };
  const request = { organizationId, copyId, requestedBy, ...times };
  await requestsOf(deciding).put({ ...request, holders: await holdersOf(table, caller.id) });
  return request;
}

/** Queues the restoration that another person requested. @throws as `assertRestorable`, conflict for the same person and without a request */
export async function approveRestoration(deciding: Deciding, approved: Restoration): Promise<QueuedResponse> {
  await assertRestorable(deciding, approved);
  const { organizationId, copyId } = approved;
  const rows = requestsOf(deciding);
  const request = await rows.find({ organizationId }, true);
  if (request?.copyId !== copyId)
    throw conflict('Nobody requested the restoration from this copy within the last day: request it first.');
  await assertSecondOwner(deciding.table, deciding.caller, request.holders);
  await rows.remove({ organizationId });
  const { requestedBy } = request;
  return queueOrganizationWork(deciding, { work: 'restore', organizationId, copyId, requestedBy });
}

/** @throws not_found for a copy that is not whole, validation_failed for another name, conflict as a deletion does */
async function assertRestorable({ table, connections }: Context, { name, ...place }: Restoration): Promise<void> {
  const manifest = await readManifest(connections.bucket, place);
  if (!manifest) throw notFound('copy', place.copyId);
  if (manifest.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
  await assertMayBeEmptied(table, place.organizationId);
}
