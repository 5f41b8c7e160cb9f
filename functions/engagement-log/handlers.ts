import { engagements } from '#shared/entities/engagement.ts';
import { engagementNotes, workEntries } from '#shared/entities/engagement-log.ts';
import { findings } from '#shared/entities/finding.ts';
import { findingListItem } from '#shared/entities/finding-view.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { notFound } from '#shared/http/errors.ts';
import type { Handlers } from '#shared/http/route.ts';
import { lastSeen } from '#shared/ingest/last-seen.ts';
import { showEngagement } from '#shared/scanning/show-engagement.ts';
import type { Table } from '#shared/table/table.ts';
import { countFindings } from './count-findings.ts';
import { personNamed } from './person.ts';
import type { engagementLogRoutes } from './routes.ts';
import { showRuns } from './runs.ts';

const parentOf = (id: string) => ({ list: 'engagement', id });

export const engagementLogHandlers: Handlers<typeof engagementLogRoutes> = {
  async getEngagement({ table, params }) {
    const engagement = await table.get(engagements, params.id);
    const [shown, found] = await Promise.all([showEngagement(table, engagement), countFindings(table, engagement.id)]);
    return { ...shown, findings: found };
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

  async listEngagementStaff({ table, query }) {
    const page = await table.list(serviceAccounts, { ...query, filter: { role: 'staff', status: 'active' } });
    const data = page.data.map(async ({ id, name }) => {
      const { n: activeEngagements = 0 } = await table.tally(engagements, 'assigned', id);
      return { id, name, email: null, skills: [], activeEngagements };
    });
    return { ...page, data: await Promise.all(data) };
  },

  async listEngagementRuns({ table, params, query }) {
    return showRuns(table, await table.get(engagements, params.id), query);
  },

  async listEngagementFindings({ table, ports, params, query: { status, severity, ...paging } }) {
    await table.get(engagements, params.id);
    const parent = { list: 'engagement', id: params.id };
    const page = await table.list(findings, { ...paging, parent, filter: { status, severity } });
    const seen = await lastSeen(ports.bucket, table, page.data);
    return { ...page, data: page.data.map((row) => findingListItem(row, seen.get(row.id))) };
  },
};

/** @throws not_found */
async function assertThere(table: Table, id: string): Promise<void> {
  await table.get(engagements, id);
}
