import { positions } from '#shared/events/position.ts';
import { readHead } from '#shared/platform/feed/log.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { ORGANIZATION, type Subscription, subscriptions } from './subscription.ts';

const USUAL = {
  matching: null,
  severityFloor: null,
  channels: ['email', 'inbox'],
  endpointId: null,
  timing: { when: 'at_once', at: '08:00', weekday: 'monday' },
  quietHours: null,
  timeZone: null,
  enabled: true,
  ownerId: null,
  addressHost: null,
  status: 'active',
  error: null,
} satisfies Partial<Subscription>;

const toAll = (kind: 'asset_owner' | 'assignee' | 'administrators' | 'mentioned' | 'followers') => ({ kind, id: null });

/** The subscriptions with which an organization begins. Its administrators change and remove them. */
const FIRST: readonly Draft<Subscription>[] = [
  {
    ...USUAL,
    name: 'New critical findings on your assets',
    types: ['finding.created'],
    severityFloor: 'critical',
    to: toAll('asset_owner'),
  },
  {
    ...USUAL,
    name: 'Assigned to you, or due within three days',
    types: ['finding.assigned', 'finding.due_soon', 'vulnerability.assigned'],
    to: toAll('assignee'),
  },
  {
    ...USUAL,
    name: 'Feeds, imports, connections and accepted risks',
    types: [
      'feed.stale',
      'import.held',
      'import.failed',
      'acceptance.expiring',
      'integration.failing',
      'ticketing_connection.failing',
      'webhook_endpoint.disabled',
    ],
    to: toAll('administrators'),
  },
  {
    ...USUAL,
    name: 'Comments that name you',
    types: ['finding_comment.mentioned', 'alert_comment.mentioned', 'engagement_note.mentioned'],
    to: toAll('mentioned'),
  },
  {
    ...USUAL,
    name: 'Findings that you follow',
    types: ['finding_comment.created', 'finding.status_changed', 'finding.assigned'],
    to: toAll('followers'),
  },
];

/** The write of the position from which a new subscription reads the log. */
export const positionWrite = ({ tenant }: Pick<Table, 'tenant'>, readerId: string, seen: number) =>
  putWrite(tenant, positions, { row: { readerId, kind: 'subscription', seen, failures: 0 } });

/** Organizations that have got their first subscriptions: administrators may have removed them since. */
export const firstSubscriptions = defineRow<{ at: string }, object>({
  name: 'first-subscriptions',
  about: 'when an organization got its first subscriptions',
  key: () => ['all'],
});

/**
 * Gives an organization its first subscriptions, once: a new one when it is made, one of an earlier release by `rekey`. They begin with the events from
 * now on.
 */
export async function giveSubscriptions(table: Table): Promise<void> {
  if (await table.rows(firstSubscriptions).find({}, true)) return;
  const [found, { next }] = await Promise.all([
    recordsOf(table, subscriptions, { where: { owner: ORGANIZATION } }),
    readHead(table),
  ]);
  const names = new Set(found.map(({ name }) => name));
  for (const draft of FIRST.filter(({ name }) => !names.has(name)))
    await table.create(subscriptions, draft, (batch, { id }) => batch.write(positionWrite(table, id, next - 1)));
  await table.rows(firstSubscriptions).put({ at: now() });
}
