import { findings } from '#shared/findings/finding/finding.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fixKeyOf } from '#shared/vulnerabilities/vulnerability/groups.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { openByRules } from './by-rules.ts';
import { fixTicketKey } from './keys.ts';
import { ticketOf } from './open-ticket.ts';
import { queueTicketSync } from './queue-sync.ts';
import { readTicketRules } from './rules.ts';
import { tickets } from './ticket.ts';
import { ticketRules } from './ticket-rule.ts';

/** The cause of changes that come from Jira: Jira knows them. */
export const SYNCING = 'sync_ticket';

/** Values of a filter that are asked for together. */
const AT_ONCE = 100;
const TICKETS_AT_ONCE = 4;

/**
 * Opens tickets for subjects that match rules now, and updates the tickets of changed subjects. The follower may see a
 * change again.
 */
export function ticketFollower(context: Context) {
  return async (announced: readonly Announced[]): Promise<void> => {
    const changes = announced.flatMap(({ entry, change }) =>
      change && entry.cause.operation !== SYNCING ? change : [],
    );
    const of = (entity: { name: string }) => changes.filter((change) => change.entity === entity.name);
    const [changed, decided, said] = [of(findings), of(vulnerabilities), of(findingComments)];
    if (changed.length + decided.length + said.length === 0) return;
    const [rules, current] = await Promise.all([
      context.table.facets(ticketRules, true),
      context.table.facets(tickets, true),
    ]);
    if (Object.values(current).some((count) => count > 0)) await bringUpToDate(context, { changed, decided, said });
    if ((rules.enabled ?? 0) > 0) await openNew(context, changed, decided);
  };
}

type Changes = Record<'changed' | 'decided' | 'said', readonly RecordChange[]>;

async function openNew(
  context: Context,
  changed: readonly RecordChange[],
  decided: readonly RecordChange[],
): Promise<void> {
  const rules = await readTicketRules(context.table);
  await openByRules(context, rules, { findingIds: idsOf(changed), vulnerabilityIds: idsOf(decided) });
}

const idsOf = (changes: readonly RecordChange[]): string[] => [...new Set(changes.map(({ id }) => id))];

const concernsTicket = ({ kind, fields }: RecordChange): boolean => kind === 'deleted' || fields.status !== undefined;

async function bringUpToDate(context: Context, { changed, decided, said }: Changes): Promise<void> {
  const { table } = context;
  const remarks = await table.findMany(findingComments, idsOf(said), true);
  const commented = remarks.map(({ findingId }) => findingId);
  const moved = [...changed, ...decided].filter(concernsTicket).map(({ id }) => id);
  const [own, ofFixes] = await Promise.all([
    ticketsOf(table, await withMerged(table, [...new Set([...moved, ...commented])])),
    fixTickets(table, decided.filter(concernsTicket)),
  ]);
  await eachAtOnce([...new Set([...own, ...ofFixes])], TICKETS_AT_ONCE, (id) => queueTicketSync(context, id));
}

/** Findings that became one with another have their tickets still. */
async function withMerged(table: Table, ids: readonly string[]): Promise<string[]> {
  const rows = await table.findMany(findings, ids, true);
  return [...ids, ...rows.flatMap(({ mergedFrom = [] }) => mergedFrom.map(({ id }) => id))];
}

/** The tickets of these subjects. */
async function ticketsOf(table: Table, subjects: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const part of chunksOf(subjects, AT_ONCE)) {
    found.push(...(await recordsOf(table, tickets, { where: { subject: part } })).map(({ id }) => id));
  }
  return found;
}

/** The tickets of the upgrades that close these vulnerabilities. */
async function fixTickets(table: Table, decided: readonly RecordChange[]): Promise<string[]> {
  const rows = await table.findMany(vulnerabilities, idsOf(decided), true);
  const keys = [...new Set(rows.map(fixKeyOf))].filter((key) => key !== undefined);
  const found = await eachAtOnce(keys, TICKETS_AT_ONCE, (key) => ticketOf(table, fixTicketKey(key)));
  return found.flatMap((ticket) => ticket?.id ?? []);
}
