import { countUnread, markRead, readInbox } from '#shared/notifications/inbox.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import type { notificationRoutes } from './routes.ts';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  resumeSubscription,
  stopSubscription,
  updateSubscription,
} from './subscriptions.ts';
import { previewSubscription, testSubscription } from './try.ts';
import { showUnsubscribe, unsubscribe } from './unsubscribe.ts';

type Routes = typeof notificationRoutes;

async function listNotifications({ table, caller, query }: Call<Routes['listNotifications']>) {
  const [page, unread] = await Promise.all([readInbox(table, caller.id, query), countUnread(table, caller.id)]);
  return { ...page, unread };
}

export const notificationHandlers: Handlers<Routes> = {
  listNotifications,
  readNotifications: async ({ table, caller, body }) => ({
    ids: await markRead(table, caller.id, { ids: body.ids, read: true }),
  }),
  unreadNotifications: async ({ table, caller, body }) => ({
    ids: await markRead(table, caller.id, { ids: body.ids, read: false }),
  }),
  listNotificationSubscriptions: listSubscriptions,
  createNotificationSubscription: createSubscription,
  previewNotificationSubscription: previewSubscription,
  getNotificationSubscription: getSubscription,
  updateNotificationSubscription: updateSubscription,
  deleteNotificationSubscription: deleteSubscription,
  testNotificationSubscription: testSubscription,
  stopNotificationSubscription: stopSubscription,
  resumeNotificationSubscription: resumeSubscription,
  showUnsubscribe,
  unsubscribe,
};
