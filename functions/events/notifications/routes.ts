import * as z from 'zod';
import { Url } from '#shared/events/webhook-endpoint.ts';
import { InboxQuery, Line, Notification } from '#shared/notifications/inbox.ts';
import { Subscription } from '#shared/notifications/subscription.ts';
import { backwardPageOf } from '#shared/platform/http/backward.ts';
import { Listing, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, live, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/notifications';
const subscriptions = `${path}/subscriptions`;
const one = `${subscriptions}/{id}`;
const unsubscribe = `${path}/unsubscribe/{token}`;
/** The inbox of the caller. */
const person = { access: { person: true }, inPart: 'same' } as const;
/** The handlers look whose subscription it is. */
const viewer = { access: { role: 'viewer' }, inPart: 'same' } as const;

/** A subscription as it is answered. */
export const SubscriptionView = Subscription.extend({
  stopped: live(z.boolean().meta({ description: 'you have stopped the messages of this subscription to you' })),
}).meta({ id: 'NotificationSubscriptionView' });
export type SubscriptionView = z.infer<typeof SubscriptionView>;

const address = Url.optional().meta({
  description:
    'where the channel takes messages: an incoming webhook of Slack, or a workflow of Teams. It is stored encrypted, and answers show its host',
  writeOnly: true,
});

const SubscriptionCreate = createBody(SubscriptionView, { address }).meta({ id: 'NotificationSubscriptionCreate' });

const ids = z.array(Id).min(1).max(100);

const Marked = objectNamed('NotificationsMarked', {
  ids: z.array(Id).meta({ description: 'of the notifications that changed' }),
});

const Preview = objectNamed('NotificationPreview', {
  count: z.int().nonnegative().meta({ description: 'of events that it would have sent' }),
  complete: z.boolean().meta({ description: 'false: there were too many changes to look at the whole week' }),
  people: z
    .array(objectNamed('NotificationPreviewPerson', { id: Id, name: z.string(), count: z.int() }))
    .meta({ description: 'who would have got them; empty for a channel' }),
  lines: z.array(Line).meta({ description: 'the newest fifty' }),
});

const SubscriptionListing = Listing.extend({
  search: SearchQuery.shape.search.optional(),
  owner: z.enum(['me', 'organization']).optional().meta({ description: 'your own, or those of the organization' }),
});

export const notificationRoutes = defineRoutes({
  listNotifications: get(path, {
    summary: 'List your notifications, unread ones first',
    description: 'Notifications are kept for 90 days. `unread` counts at most 100.',
    ...person,
    query: InboxQuery,
    response: backwardPageOf(Notification)
      .extend({ unread: z.int().nonnegative().meta({ description: 'of all your notifications, at most 100' }) })
      .meta({ id: 'NotificationsAnswer' }),
  }),
  readNotifications: post(`${path}/read`, {
    summary: 'Mark notifications as read',
    description: 'Without `ids`: the newest 100 that are unread. The answer has the ids, for `unreadNotifications`.',
    ...person,
    body: z.strictObject({ ids: ids.optional() }).meta({ id: 'ReadNotifications' }),
    response: Marked,
  }),
  unreadNotifications: post(`${path}/unread`, {
    summary: 'Mark notifications as unread again',
    description: 'Takes back that they were read. Ids of notifications of others are left out of the answer.',
    ...person,
    body: z.strictObject({ ids }).meta({ id: 'UnreadNotifications' }),
    response: Marked,
  }),
  listNotificationSubscriptions: get(subscriptions, {
    summary: 'List your subscriptions and those of the organization, newest first',
    description: '`stopped` says whether you get no messages of a subscription to several people.',
    ...viewer,
    query: SubscriptionListing,
    response: searchPageOf(SubscriptionView),
  }),
  createNotificationSubscription: post(subscriptions, {
    summary: 'Subscribe to events',
    description:
      'Everybody may subscribe for themselves (`to.kind` is `me`). Administrators also subscribe others and channels. A subscription begins with the ' +
      'events from now on. docs/notifications.md explains the channels.',
    ...viewer,
    body: SubscriptionCreate,
    response: SubscriptionView,
  }),
  previewNotificationSubscription: post(`${subscriptions}/preview`, {
    summary: 'See what a subscription would have sent in the last seven days',
    description: 'Judges the records as they are now, and leaves out what you may not read. Nothing is stored or sent.',
    ...viewer,
    readOnly: true,
    body: SubscriptionCreate,
    response: Preview,
  }),
  getNotificationSubscription: get(one, {
    summary: 'Read a subscription and its health',
    description: '`status` and `error` say whether its channel takes messages.',
    ...viewer,
    response: SubscriptionView,
  }),
  updateNotificationSubscription: patch(one, {
    summary: 'Change a subscription, or turn it off or on',
    description:
      'A merge patch. What happens while it is off is never sent. Its kind stays: own, or of the organization.',
    ...viewer,
    body: patchBody(SubscriptionView.extend({ address }), SubscriptionView),
    response: SubscriptionView,
  }),
  deleteNotificationSubscription: remove(one, {
    summary: 'Remove a subscription',
    description: 'Messages that wait are not sent. What is in inboxes stays.',
    ...viewer,
    response: Deletion,
  }),
  testNotificationSubscription: post(`${one}/test`, {
    summary: 'Send a message of a subscription to its channel, or to yourself',
    description:
      'It says that it is a test, and has the newest events of the last seven days that it would have sent and you may read. Messages to people go to you ' +
      'alone, within two minutes.',
    ...viewer,
    response: objectNamed('NotificationTest', {
      sentAt: Timestamp,
      error: z.string().nullable().meta({ description: 'null: the channel took the message, or it waits for you' }),
      lines: z.array(Line).meta({ description: 'what the message says' }),
    }),
  }),
  stopNotificationSubscription: post(`${one}/stop`, {
    summary: 'Stop the messages of a subscription to you',
    description: 'Others still get theirs.',
    ...person,
    response: SubscriptionView,
  }),
  resumeNotificationSubscription: post(`${one}/resume`, {
    summary: 'Get the messages of a subscription again',
    description: 'Takes back that you stopped them, by this service or by a link in a letter.',
    ...person,
    response: SubscriptionView,
  }),
  showUnsubscribe: get(unsubscribe, {
    summary: 'Ask whether letters shall stop',
    description: 'The page behind the link in a letter. It changes nothing: its button sends the POST.',
    access: 'public',
    response: { contentType: 'text/html; charset=utf-8' },
  }),
  unsubscribe: post(unsubscribe, {
    summary: 'Stop the letters of a subscription with one click',
    description:
      'The address in `List-Unsubscribe` of a letter (RFC 8058). It stops the subscriptions behind this letter for the person who got it, and needs no ' +
      'sign-in. It may be called again.',
    access: 'public',
    body: objectNamed('OneClickUnsubscribe', {
      'List-Unsubscribe': z.literal('One-Click').meta({ example: 'One-Click' }),
    }),
    form: true,
    lenient: true,
    response: { contentType: 'text/html; charset=utf-8' },
  }),
});
