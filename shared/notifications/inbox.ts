import * as z from 'zod';
import { backwardQuery, readBackward } from '#shared/platform/http/backward.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** An event as people read it. */
export const Line = objectNamed('NotificationLine', {
  eventId: z.string().meta({ example: '000000004711-finding.created' }),
  type: z.string().meta({ example: 'finding.created' }),
  subject: z.string().meta({ description: 'the record', example: 'finding/01960000-0000-7000-8000-000000000001' }),
  page: z.string().nullable().meta({
    description: 'the path of the console that shows it; null: none does',
    example: '/findings/01960000-0000-7000-8000-000000000001',
  }),
  text: z.string().meta({ example: 'New critical finding: Log4Shell on shop-1' }),
  at: Timestamp,
});
export type Line = z.infer<typeof Line>;

export const Notification = objectNamed('Notification', {
  id: z.string().meta({ description: 'sorts by time', example: '01960000-0000-7000-8000-000000000001' }),
  subscriptionId: Id.nullable().meta({
    description: 'the subscription through which it came',
  }),
  reason: z.string().meta({ description: 'why it came', example: 'New critical findings' }),
  count: z.int().positive().meta({ description: 'of events' }),
  lines: z.array(Line).meta({ description: 'the first events, at most 30' }),
  createdAt: Timestamp,
  readAt: Timestamp.nullable(),
});
export type Notification = z.infer<typeof Notification>;
type Row = Notification & { userId: string };
type Place = Pick<Row, 'userId' | 'id'> & { readAt: string | null };

const KEPT_SECONDS = 90 * 86_400;

/** Unread ones sort behind the read ones: a reader goes backward. */
const UNREAD = 'u';
const sortKey = ({ id, readAt }: Omit<Place, 'userId'>): string => `${readAt === null ? UNREAD : 'r'}#${id}`;

export const notifications = defineRow<Row, Place>({
  name: 'notification',
  about: 'a notification in the inbox of a user, unread or read, for 90 days',
  key: ({ userId, id, readAt }) => [userId, sortKey({ id, readAt })],
  expiresAt: ({ createdAt }) => secondsAfter(createdAt, KEPT_SECONDS),
});

/** The write that puts a notification into an inbox. */
export const inboxWrite = (
  table: Table,
  userId: string,
  { subscriptionId, reason, count, lines }: Pick<Notification, 'subscriptionId' | 'reason' | 'count' | 'lines'>,
): Write =>
  putWrite(table.tenant, notifications, {
    row: { userId, id: newId(), subscriptionId, reason, count, lines, createdAt: now(), readAt: null },
  });

/** A page of an inbox: unread ones first, each newest first. */
export async function readInbox(table: Table, userId: string, range: z.infer<typeof InboxQuery>) {
  const rows = table.rows(notifications);
  const { data, next } = await readBackward((asked) => rows.query(userId, asked), range, sortKey);
  return { data: data.map(shown), next };
}

export const InboxQuery = backwardQuery(/^[ur]#[0-9a-f-]{36}$/);

const shown = ({ userId: _userId, ...notification }: Row): Notification => notification;

const MOST_COUNTED = 100;

const unreadOf = (table: Table, userId: string): Promise<Row[]> =>
  table.rows(notifications).query(userId, { prefix: `${UNREAD}#`, backward: true, limit: MOST_COUNTED });

/** The number of unread notifications, at most 100: a bell shows no more. */
export const countUnread = async (table: Table, userId: string): Promise<number> =>
  (await unreadOf(table, userId)).length;

/**
 * Marks notifications as read, or as unread again. Those that are so already, or are gone, are left out.
 * @param ids undefined: the newest hundred that are unread
 */
export async function markRead(
  table: Table,
  userId: string,
  { ids, read }: { ids: readonly string[] | undefined; read: boolean },
): Promise<string[]> {
  const rows = ids
    ? await table.rows(notifications).findMany(ids.map((id) => ({ userId, id, readAt: read ? null : 'read' })))
    : await unreadOf(table, userId);
  for (const row of rows) {
    const moved = { ...row, readAt: read ? now() : null };
    await table.write(
      { remove: rowKey(table.tenant, notifications, row) },
      putWrite(table.tenant, notifications, { row: moved }),
    );
  }
  return rows.map(({ id }) => id);
}
