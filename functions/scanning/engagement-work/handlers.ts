import { listStaff } from '#shared/credentials/staff.ts';
import { evidenceOn } from '#shared/findings/evidence/evidence.ts';
import { evidenceDownload, evidenceOf } from '#shared/findings/evidence/evidence-download.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { findingListItem } from '#shared/findings/view/view.ts';
import { mentionsIn } from '#shared/people/mentions.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { pageOfArray, showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { showEngagement } from '#shared/scanning/engagement-tasks/show.ts';
import { engagementOwner } from '#shared/scanning/engagements/assigned.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementNotes, workEntries } from '#shared/scanning/engagements/engagement-work.ts';
import { hideCredentialIds } from '#shared/scanning/scan-credentials/hide-credential-ids.ts';
import { countFindings } from './count-findings.ts';
import { assertDayOfWork } from './day-of-work.ts';
import { listMyEngagements } from './mine.ts';
import { completeByHand, startByHand } from './move.ts';
import { assertMayNote, personOfEntry } from './person.ts';
import type { engagementWorkRoutes } from './routes.ts';
import { showRuns } from './runs.ts';

export const engagementWorkHandlers: Handlers<typeof engagementWorkRoutes> = {
  listMyEngagements,

  async getEngagement({ table, caller, params: { id } }) {
    const { owner, engagement } = await openEngagement(table, caller, id);
    const [shown, found] = await Promise.all([showEngagement(owner, engagement), countFindings(owner, id)]);
    return hideCredentialIds(caller, { ...shown, findings: found });
  },

  async startEngagement({ table, caller, params: { id } }) {
    const owner = await engagementOwner(table, caller, id);
    return hideCredentialIds(caller, await showEngagement(owner, await startByHand(owner, id)));
  },

  async completeEngagement({ table, connections, caller, params: { id } }) {
    const owner = await engagementOwner(table, caller, id);
    return hideCredentialIds(
      caller,
      await showEngagement(owner, await completeByHand({ connections, table: owner }, id)),
    );
  },

  async listEngagementNotes({ table, caller, params: { id }, query }) {
    const { owner } = await openEngagement(table, caller, id);
    return owner.list(engagementNotes, { ...query, parent: { engagement: id } });
  },

  async createEngagementNote({ table, caller, params: { id }, body }) {
    const { owner, engagement } = await openEngagement(table, caller, id);
    assertMayNote(caller, engagement);
    const { mentions, unresolved } = await mentionsIn(owner, body.text);
    return { ...(await owner.create(engagementNotes, { ...body, mentions, engagementId: id })), unresolved };
  },

  async deleteEngagementNote(call) {
    const { table, params } = call;
    const note = await table.get(engagementNotes, params.noteId);
    if (note.engagementId !== params.id) throw notFound(engagementNotes.name, params.noteId);
    return withSecondPerson(call, () => table.delete(engagementNotes, note));
  },

  async listWorkEntries({ table, caller, params: { id }, query }) {
    const owner = await engagementOwner(table, caller, id);
    const [page, { minutes = 0 }] = await Promise.all([
      owner.list(workEntries, { ...query, parent: { engagement: id } }),
      owner.tally(workEntries, 'engagement', id),
      owner.get(engagements, id),
    ]);
    return { ...page, totalMinutes: minutes };
  },

  async createWorkEntry({ table, caller, params, body }) {
    const { owner, engagement } = await openEngagement(table, caller, params.id);
    assertDayOfWork(engagement, body.date);
    const person = await personOfEntry({ table: owner, caller }, engagement, body.personId ?? caller.id);
    return owner.create(workEntries, {
      ...body,
      engagementId: params.id,
      personId: person.id,
      personName: person.name,
    });
  },

  async deleteWorkEntry(call) {
    const { table, params } = call;
    const entry = await table.get(workEntries, params.entryId);
    if (entry.engagementId !== params.id) throw notFound(workEntries.name, params.entryId);
    return withSecondPerson(call, () => table.delete(workEntries, entry));
  },

  async listEngagementStaff({ table, query }) {
    const [staff, tallies] = await Promise.all([listStaff(table.dynamo), table.tallies(engagements, 'assigned')]);
    const active = new Map(tallies.map(({ value, counts }) => [value, counts.n ?? 0]));
    return showEach(pageOfArray(staff, query), (one) => ({ ...one, activeEngagements: active.get(one.id) ?? 0 }));
  },

  async listEngagementRuns({ table, caller, params, query }) {
    const { owner, engagement } = await openEngagement(table, caller, params.id);
    return showRuns(owner, engagement, query);
  },

  async listEngagementFindings({ table, caller, connections, params, query: { status, severity, ...paging } }) {
    const { owner } = await openEngagement(table, caller, params.id);
    const page = await owner.list(findings, {
      ...paging,
      parent: { engagement: params.id },
      filter: { status, severity },
    });
    const seen = await lastSeen(connections.bucket, owner, page.data);
    return { ...page, data: page.data.map((row) => findingListItem(row, seen.get(row.id))) };
  },

  async listEngagementFindingEvidence({ table, caller, params }) {
    const { owner, finding } = await findingFoundBy(table, caller, params);
    return { texts: finding.evidence, files: await evidenceOn(owner, finding) };
  },

  async getEngagementFindingEvidence({ table, caller, connections, params }) {
    const { owner, finding } = await findingFoundBy(table, caller, params);
    const file = await evidenceOf(owner, finding, params.evidenceId);
    return evidenceDownload({ connections, table: owner }, file);
  },
};

type FindingPlace = { id: string; findingId: string };

/** A finding that the engagement lists, with the table of its owner. @throws not_found */
async function findingFoundBy(table: Table, caller: Caller, { id, findingId }: FindingPlace) {
  const { owner } = await openEngagement(table, caller, id);
  const finding = await owner.get(findings, findingId, true);
  if (finding.engagementId !== id) throw notFound(findings.name, findingId);
  return { owner, finding };
}

/** An engagement with the table of its owner. @throws not_found */
async function openEngagement(table: Table, caller: Caller, id: string) {
  const owner = await engagementOwner(table, caller, id);
  return { owner, engagement: await owner.get(engagements, id) };
}
