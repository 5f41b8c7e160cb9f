import { nowMs } from '#shared/clock.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { engagementNotes, workEntries } from '#shared/entities/engagement-log.ts';
import { notFound } from '#shared/http/errors.ts';
import type { Handlers } from '#shared/http/route.ts';
import { DAY_MS } from '#shared/schedule/wall-clock.ts';
import type { Table } from '#shared/table/table.ts';
import { feedOf, readEvents, spanOf } from './calendar.ts';
import type { engagementLogRoutes } from './log-routes.ts';
import { personNamed } from './people.ts';

const parentOf = (id: string) => ({ list: 'engagement', id });

export const engagementLogHandlers: Handlers<typeof engagementLogRoutes> = {
  async getEngagementCalendar({ table, query }) {
    const span = spanOf(query.from, query.to);
    const times = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() };
    return { ...times, ...(await readEvents(table, span)) };
  },

  async getEngagementCalendarFeed({ table }) {
    const { events } = await readEvents(table, { from: nowMs() - 30 * DAY_MS, to: nowMs() + 366 * DAY_MS });
    return { contentType: 'text/calendar; charset=utf-8', body: feedOf(events) };
  },

  async listEngagementNotes({ table, params, query }) {
    await table.get(engagements, params.id);
    return table.list(engagementNotes, { ...query, parent: parentOf(params.id) });
  },

  async createEngagementNote({ table, params, body }) {
    await table.get(engagements, params.id);
    return table.create(engagementNotes, { ...body, engagementId: params.id });
  },

  async deleteEngagementNote({ table, params }) {
    const note = await table.get(engagementNotes, params.noteId);
    if (note.engagementId !== params.id) throw notFound(engagementNotes.name, params.noteId);
    return table.delete(engagementNotes, note);
  },

  async listWorkEntries({ table, params, query }) {
    const [page, { minutes = 0 }] = await Promise.all([
      table.list(workEntries, { ...query, parent: parentOf(params.id) }),
      table.tally(workEntries, 'engagement', params.id),
      assertThere(table, params.id),
    ]);
    return { ...page, totalMinutes: minutes };
  },

  async createWorkEntry({ table, caller, params, body }) {
    await assertThere(table, params.id);
    const person = await personNamed(table, caller, body.personId ?? caller.id);
    return table.create(workEntries, {
      ...body,
      engagementId: params.id,
      personId: person.id,
      personName: person.name,
    });
  },

  async deleteWorkEntry({ table, params }) {
    const entry = await table.get(workEntries, params.entryId);
    if (entry.engagementId !== params.id) throw notFound(workEntries.name, params.entryId);
    return table.delete(workEntries, entry);
  },
};

/** @throws not_found */
async function assertThere(table: Table, id: string): Promise<void> {
  await table.get(engagements, id);
}
