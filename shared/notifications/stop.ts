import { now } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Stop = { source: string; userId: string; at: string };

export const stops = defineRow<Stop, Pick<Stop, 'source' | 'userId'>>({
  name: 'notification-stop',
  about: 'a user who wants no messages of a subscription any more',
  key: ({ source, userId }) => [source, userId],
});

/** Stops the messages of a source for a user, also when they are stopped already. */
export const stopFor = (table: Table, source: string, userId: string): Promise<boolean> =>
  table.rows(stops).put({ source, userId, at: now() });

export const resumeFor = (table: Table, source: string, userId: string): Promise<boolean> =>
  table.rows(stops).remove({ source, userId });
