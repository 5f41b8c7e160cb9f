import { removeSecret } from '#shared/credentials/sealed.ts';
import { statusOf } from '#shared/events/health.ts';
import { withFilter } from '#shared/events/matching.ts';
import { type Position, positionRemoval, positions, positionWrites } from '#shared/events/position.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { sealAddress } from '#shared/notifications/address.ts';
import { positionWrite } from '#shared/notifications/defaults.ts';
import { resumeFor, stopFor, stops } from '#shared/notifications/stop.ts';
import {
  isPersonal,
  MAX_OWN,
  MAX_SUBSCRIPTIONS,
  ORGANIZATION,
  POSTED,
  type Subscription,
  subscriptions,
} from '#shared/notifications/subscription.ts';
import { teams } from '#shared/people/team.ts';
import { users } from '#shared/people/user.ts';
import { type Caller, isAdmin } from '#shared/platform/auth/permissions.ts';
import { readHead } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type notificationRoutes, SubscriptionView } from './routes.ts';

type Routes = typeof notificationRoutes;
type Asking = { table: Table; caller: Caller };
type Body = Call<Routes['createNotificationSubscription']>['body'];

/** Subscriptions as the caller sees them. */
async function shown({ table, caller }: Asking, found: readonly Subscription[]): Promise<SubscriptionView[]> {
  const keys = found.map(({ id }) => ({ source: id, userId: caller.id }));
  const stopped = new Set((await table.rows(stops).findMany(keys, true)).map(({ source }) => source));
  return found.map((subscription) => ({ ...subscription, stopped: stopped.has(subscription.id) }));
}

const shownOne = async (asking: Asking, subscription: Subscription): Promise<SubscriptionView> => ({
  ...subscription,
  stopped: (await shown(asking, [subscription]))[0]?.stopped ?? false,
});

export function listSubscriptions(call: Call<Routes['listNotificationSubscriptions']>) {
  const { table, caller, query } = call;
  const { owner, search, ...range } = query;
  const owners = { me: [caller.id], organization: [ORGANIZATION] };
  const where = { owner: owner ? owners[owner] : [caller.id, ORGANIZATION] };
  return showPage(table.list(subscriptions, { ...range, where, ...(search !== undefined && { search }) }), (found) =>
    shown(call, found),
  );
}

/** @throws not_found, also for the own subscription of somebody else */
export async function readSubscription({ table, caller }: Asking, id: string): Promise<Subscription> {
  const subscription = await table.get(subscriptions, id, true);
  if (subscription.ownerId !== null && subscription.ownerId !== caller.id) throw notFound(subscriptions.name, id);
  return subscription;
}

export const getSubscription = async (call: Call<Routes['getNotificationSubscription']>) =>
  shownOne(call, await readSubscription(call, call.params.id));

/** @throws conflict for a subscription of the organization, which administrators of all of it change */
export function assertMayChange({ table, caller }: Asking, ownerId: string | null): void {
  if (ownerId === caller.id) return;
  if (table.part || !isAdmin(caller, 'organization'))
    throw conflict(
      'Only administrators notify others and channels: subscribe yourself with to.kind me, by email or inbox.',
    );
}

/** Whose own subscription it would be. @throws validation_failed for a caller who is no person of the organization */
export function ownerOf({ caller }: Pick<Asking, 'caller'>, { to }: Pick<Subscription, 'to'>): string | null {
  if (to?.kind !== 'me') return null;
  if (caller.kind !== 'user' || caller.support)
    throw invalid('to.kind', 'must not be me: you are no person of the organization');
  return caller.id;
}

/** @throws validation_failed */
export async function assertSound(table: Table, subscription: Omit<Body, 'address'>, address: boolean): Promise<void> {
  const { channels, to, endpointId, timing, quietHours } = subscription;
  const isToPeople = isPersonal(subscription);
  if (!isToPeople && channels.length > 1) throw invalid('channels', 'must be one channel, or email and inbox');
  if (isToPeople !== (to !== null))
    throw invalid('to', isToPeople ? 'must say who gets the messages' : 'must be null: the channel gets the messages');
  const isPosted = channels.some((channel) => POSTED.some((one) => one === channel));
  if (isPosted !== address)
    throw invalid('address', isPosted ? 'must be the address of the channel' : 'must be left out');
  const isWebhook = channels.includes('webhook');
  if (isWebhook !== (endpointId !== null))
    throw invalid('endpointId', 'belongs to the channel webhook, which needs it');
  if (isWebhook && (timing.when !== 'at_once' || quietHours))
    throw invalid('timing', 'must be at_once without quiet hours: an endpoint gets each event alone');
  if (endpointId !== null && !(await table.find(webhookEndpoints, endpointId, true)))
    throw invalid('endpointId', 'must be the id of a webhook endpoint');
  await assertReceiver(table, to);
}

/** @throws validation_failed */
async function assertReceiver(table: Table, to: Subscription['to']): Promise<void> {
  const entity = to?.kind === 'person' ? users : to?.kind === 'team' ? teams : undefined;
  if (to && (entity !== undefined) !== (to.id !== null))
    throw invalid('to.id', 'belongs to the kinds person and team, which need it');
  if (!to || to.id === null) return;
  const known = to.kind === 'person' ? await table.find(users, to.id, true) : await table.find(teams, to.id, true);
  if (!known) throw invalid('to.id', `must be the id of a ${to.kind}`);
}

const hostOf = (address: string | undefined): string | null => URL.parse(address ?? '')?.host ?? null;

export async function createSubscription(call: Call<Routes['createNotificationSubscription']>) {
  const { table, body } = call;
  const { address, ...given } = body;
  const ownerId = ownerOf(call, given);
  assertMayChange(call, ownerId);
  await assertSound(table, given, address !== undefined);
  const { matching } = await withFilter(table, given);
  await assertRoom(table, ownerId);
  const [id = ''] = await table.reserve(subscriptions, 1);
  const { next } = await numberChanges(table);
  const draft = {
    ...given,
    matching,
    id,
    ownerId,
    addressHost: hostOf(address),
    status: statusOf(given.enabled),
    error: null,
  };
  const made = await table.create(subscriptions, draft, async (batch) => {
    batch.write(positionWrite(table, id, next - 1));
    if (address !== undefined) batch.write(await sealAddress(call, id, address));
  });
  return { ...made, stopped: false };
}

/** @throws limit_exceeded */
async function assertRoom(table: Table, ownerId: string | null): Promise<void> {
  const asked = { paginateFrom: 0, paginateSize: 1 };
  const { totalCount } = await table.list(subscriptions, asked);
  if (totalCount >= MAX_SUBSCRIPTIONS) throw fixedLimit('An organization', MAX_SUBSCRIPTIONS, 'subscriptions');
  const own = ownerId === null ? undefined : await table.list(subscriptions, { ...asked, where: { owner: ownerId } });
  if (own && own.totalCount >= MAX_OWN) throw fixedLimit('A person', MAX_OWN, 'subscriptions');
}

export async function updateSubscription(call: Call<Routes['updateNotificationSubscription']>) {
  const { table, params, body, ifMatch } = call;
  const { address, ...patch } = body;
  const current = await readSubscription(call, params.id);
  assertMayChange(call, current.ownerId);
  const view = await shownOne(call, current);
  const changes = mergePatch(SubscriptionView, view, { patch, ifMatch });
  if (!changes && address === undefined) return view;
  const next = { ...current, ...changes };
  if (ownerOf(call, next) !== current.ownerId)
    throw invalid('to.kind', 'must stay as it is: make another subscription');
  if (address === null) throw invalid('address', 'must be an address: remove the subscription instead');
  await assertSound(table, next, address !== undefined || current.addressHost !== null);
  const { matching } = await withFilter(table, next, patch);
  const position = await positionOf(table, current.id);
  const isOnAgain = next.enabled && !current.enabled;
  const seen = isOnAgain ? (await readHead(table)).next - 1 : position.seen;
  const state = {
    matching,
    status: statusOf(next.enabled),
    error: null,
    ...(address && { addressHost: hostOf(address) }),
  };
  const updated = await table.update(subscriptions, current, { ...changes, ...state }, async (batch) => {
    // what waited behind a failure goes out with the next look of the timers
    const retryAt = next.enabled && position.retryAt !== undefined ? now() : undefined;
    batch.write(...positionWrites(table, position, { ...HEALTHY, retryAt, seen: Math.max(seen, position.seen) }));
    if (address) batch.write(await sealAddress(call, current.id, address));
  });
  return { ...updated, stopped: view.stopped };
}

const HEALTHY = { failures: 0, failingSince: undefined };

/** @throws not_found */
async function positionOf(table: Table, readerId: string): Promise<Position> {
  const position = await table.rows(positions).find({ readerId }, true);
  if (!position) throw notFound(subscriptions.name, readerId);
  return position;
}

export async function deleteSubscription(call: Call<Routes['deleteNotificationSubscription']>) {
  const { table, params } = call;
  const subscription = await readSubscription(call, params.id);
  assertMayChange(call, subscription.ownerId);
  const position = await positionOf(table, subscription.id);
  return table.delete(subscriptions, subscription, (batch) => {
    batch.write(...positionRemoval(table, position));
    if (subscription.addressHost !== null) batch.write(removeSecret(table, subscription.id));
  });
}

export async function stopSubscription(call: Call<Routes['stopNotificationSubscription']>) {
  const subscription = await readSubscription(call, call.params.id);
  await stopFor(call.table, subscription.id, call.caller.id);
  return { ...subscription, stopped: true };
}

export async function resumeSubscription(call: Call<Routes['resumeNotificationSubscription']>) {
  const subscription = await readSubscription(call, call.params.id);
  await resumeFor(call.table, subscription.id, call.caller.id);
  return { ...subscription, stopped: false };
}
