import type * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import type { Person } from '#shared/credentials/person.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { updateAsset } from '#shared/exposure/asset-actions/update.ts';
import { type ManyRequest, queueMany } from '#shared/findings/bulk/queue.ts';
import { personOf } from '#shared/findings/triage/people.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import { changeRemediation } from '#shared/findings/triage/remediations.ts';
import { MAX_MEMBERS, teams } from '#shared/people/team.ts';
import { users } from '#shared/people/user.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assignedTo } from './assigned.ts';
import type { HandOver } from './hand-over-records.ts';

type Within = Context & { caller: Parameters<typeof personOf>[1] };
type Between = { from: string; to: z.infer<typeof Person> };

/** So many remediations, assets and applications each are moved in one round. */
const MAX_MOVED = 200;
const AT_ONCE = 8;

/** A team, or an account that may have left. @throws not_found */
export async function anybody(table: Table, id: string): Promise<{ name: string }> {
  const found = [await table.find(teams, id), await table.find(users, id), await table.find(serviceAccounts, id)];
  const [somebody] = found.filter((one) => one !== undefined);
  if (!somebody) throw notFound('team or account', id);
  return somebody;
}

type Request = { from: string; to: string; all?: boolean };

/**
 * Assigns everything of an account or a team to somebody else. Changes of many records do it where there are such, with
 * their progress and undo; the rest moves at once: 200 of each kind, or `all`. A repeated call continues a failed one.
 * @throws not_found for an id of nobody, validation_failed for a receiver who is not there
 */
export async function handOver(within: Within, { from, to: id, all = false }: Request): Promise<HandOver> {
  if (id === from) throw invalid('to', 'must be somebody else');
  const { table, caller } = within;
  await anybody(table, from);
  const between = { from, to: await personOf(table, caller, { path: 'to', id }) };
  const assigned = await assignedTo(table, from);
  const most = Math.max(assigned.remediations, assigned.assets, assigned.applications);
  const moved = { remediations: 0, assets: 0, applications: 0, teamsLed: await moveLeads(table, between) };
  for (let round = 0; round === 0 || (all && round * MAX_MOVED < most); round += 1) {
    moved.remediations += await moveRemediations(table, between);
    moved.assets += await moveAssets(within, between);
    moved.applications += await moveApplications(table, between);
  }
  const left = assigned.remediations + assigned.assets + assigned.applications;
  const remaining = Math.max(0, left - moved.remediations - moved.assets - moved.applications);
  return { to: between.to, tasks: await queueChanges(within, between, assigned), moved, remaining };
}

type Assigned = Awaited<ReturnType<typeof assignedTo>>;

async function queueChanges(within: Context, between: Between, assigned: Assigned): Promise<HandOver['tasks']> {
  const tasks: HandOver['tasks'] = [];
  for (const { kind, ...request } of changesOf(between)) {
    if (assigned[kind] === 0) continue;
    const wanted = { selection: { where: { assigneeId: between.from } } };
    const { taskId } = await queueMany(within, { ...request, wanted });
    tasks.push({ kind, taskId, records: assigned[kind] });
  }
  return tasks;
}

type Change = ManyRequest & { kind: HandOver['tasks'][number]['kind'] };

function changesOf({ to }: Between): Change[] {
  const input = { changes: { assigneeId: to.id }, assignee: to };
  const decision = { changes: {}, assignee: to };
  return [
    { kind: 'findings', operation: 'update_findings', input },
    { kind: 'vulnerabilities', operation: 'update_vulnerabilities', unit: 'records', input: decision },
    { kind: 'alerts', operation: 'update_alerts', unit: 'records', input },
    { kind: 'incidents', operation: 'update_incidents', unit: 'records', input },
  ];
}

type Marks = { assigneeId: string } | { owner: string } | { lead: string };

async function idsOf<T extends Stored, D extends keyof T>(table: Table, entity: Entity<T, D>, where: Marks) {
  const { data } = await table.list(entity, { paginateFrom: 0, paginateSize: MAX_MOVED, where: { ...where } });
  return data.map(({ id }) => id);
}

async function moveRemediations(table: Table, { from, to }: Between): Promise<number> {
  const ids = await idsOf(table, remediations, { assigneeId: from });
  await eachAtOnce(ids, AT_ONCE, (id) =>
    retry(async () => {
      const before = await table.find(remediations, id, true);
      if (before?.assigneeId !== from) return;
      const changes = { assigneeId: to.id, assignee: to };
      await table.commit((batch) => changeRemediation({ table, batch }, before, changes));
    }),
  );
  return ids.length;
}

async function moveAssets(within: Within, { from, to }: Between): Promise<number> {
  const ids = await idsOf(within.table, assets, { owner: from });
  await eachAtOnce(ids, AT_ONCE, (id) => updateAsset(within, { id, patch: { ownerId: to.id }, ifMatch: undefined }));
  return ids.length;
}

async function moveApplications(table: Table, { from, to }: Between): Promise<number> {
  const ids = await idsOf(table, applications, { owner: from });
  await eachAtOnce(ids, AT_ONCE, (id) =>
    table.modify(applications, id, ({ ownerId }) => (ownerId === from ? { ownerId: to.id } : undefined)),
  );
  return ids.length;
}

/** The new lead becomes a member. A team that is full, or whose new lead would be a team, has no lead for now. */
async function moveLeads(table: Table, { from, to }: Between): Promise<number> {
  const [ids, isTeam] = await Promise.all([idsOf(table, teams, { lead: from }), table.find(teams, to.id)]);
  await eachAtOnce(ids, AT_ONCE, (id) =>
    table.modify(teams, id, ({ leadId, memberIds }) => {
      if (leadId !== from) return undefined;
      const members = [...new Set([...memberIds, to.id])];
      return isTeam || members.length > MAX_MEMBERS ? { leadId: null } : { leadId: to.id, memberIds: members };
    }),
  );
  return ids.length;
}
