import { assetsBehind, type Behind, meets } from '#shared/findings/branches/tried-rules.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { seenStored } from '#shared/platform/filter/rule.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fixKeyOf } from '#shared/vulnerabilities/vulnerability/groups.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import { connectionFor, readConnections } from './connections.ts';
import { findingKey, vulnerabilityKey } from './keys.ts';
import { isOfFindings, type ReadyRule, readyRules } from './match.ts';
import { openTicket, type Wanted } from './open-ticket.ts';
import { ofFix } from './subject.ts';
import type { TicketRule, TicketSubjectType } from './ticket-rule.ts';

/** Something for which a rule may open a ticket. */
type Candidate = { record: { asset: { id: string } }; subject: Wanted['subject']; about: Wanted['about'] };

/** Tickets that are opened beside each other. */
const AT_ONCE = 4;

/** Records that changed, or all that a rule may concern. */
type Records = { findingIds: readonly string[]; vulnerabilityIds: readonly string[] };

/** Opens a ticket for each open record that one of the rules meets and that has none. @returns how many */
export async function openByRules(context: Context, rules: readonly TicketRule[], records: Records): Promise<number> {
  const connections = await readConnections(context.table);
  const matched = await matchedBy(context.table, rules, records);
  const opened = await eachAtOnce(matched, AT_ONCE, async ({ rule, subject, about }) => {
    const connection = connectionFor(connections, rule.connectionId);
    if (!connection) return false;
    const wanted = { subject, about, connectionId: connection.id, ruleId: rule.id, template: rule };
    return (await openTicket(context, wanted)).isNew;
  });
  return opened.filter(Boolean).length;
}

type Matched = Candidate & { rule: TicketRule };

/** The first matching rule of each subject; each subject once, also if several of its records match. */
export async function matchedBy(table: Table, all: readonly TicketRule[], records: Records): Promise<Matched[]> {
  const rules = await readyRules(all);
  const has = (type: TicketSubjectType) => rules.some(({ opensFor }) => opensFor === type);
  const asksPlace = rules.some(({ compiled }) => PLACES.some((field) => compiled.asks.includes(field)));
  const ofFindings = has('finding') ? await findingCandidates(table, records.findingIds, asksPlace) : [];
  const asksOthers = has('vulnerability') || has('fix');
  const others = asksOthers ? await vulnerabilityCandidates(table, records.vulnerabilityIds, has('fix')) : [];
  const candidates = [...ofFindings, ...others];
  const around = await assetsBehind(
    table,
    rules,
    candidates.map(({ record }) => record),
  );
  const matched = candidates.flatMap((candidate) => {
    const rule = firstRule(rules, candidate, around);
    return rule ? { ...candidate, rule } : [];
  });
  return [...new Map(matched.map((one) => [one.about.key, one])).values()];
}

const firstRule = (rules: readonly ReadyRule[], { subject, record }: Candidate, around: Behind) =>
  rules.find(
    (rule) =>
      rule.opensFor === subject.type && meets(rule, seenStored(record, { behind: around.get(record.asset.id) })),
  );

/** Fields that are read from the details of a finding. */
const PLACES = ['path', 'host'];

async function findingCandidates(table: Table, ids: readonly string[], asksPlace: boolean): Promise<Candidate[]> {
  const rows: FindingRow[] = asksPlace
    ? await wholeRecordsAt(table, findings, { ordinals: ids.map(ordinalOf), consistent: true })
    : await table.findMany(findings, ids, true);
  return rows
    .filter(({ status }) => isOpen(status))
    .map((row) => ({
      record: row,
      subject: { type: 'finding', id: row.id },
      about: { key: findingKey(row.id), title: row.title, severity: row.severity, status: row.status },
    }));
}

async function vulnerabilityCandidates(table: Table, ids: readonly string[], withFixes: boolean): Promise<Candidate[]> {
  const rows = await table.findMany(vulnerabilities, ids, true);
  const open = rows.filter(({ status }) => isOpen(status));
  const keys = withFixes ? open.map(fixKeyOf) : [];
  const fixes = await readFixes(table, keys);
  return open.flatMap((row): Candidate[] => {
    const { key, title, severity, status } = row;
    const about = { key: vulnerabilityKey(key), title: `${title} on ${row.asset.name}`, severity, status };
    const fix = fixes.get(fixKeyOf(row));
    return [
      { record: row, subject: { type: 'vulnerability', id: row.id }, about },
      ...(fix ? [{ record: row, ...fix }] : []),
    ];
  });
}

/** The groups by their keys; a group is gone when no upgrade closes one of its vulnerabilities. */
async function readFixes(table: Table, keys: readonly (string | undefined)[]) {
  const known = [...new Set(keys)].filter((key) => key !== undefined);
  const found = await eachAtOnce(known, AT_ONCE, (value) => table.findUnique(fixGroups, { field: 'key', value }, true));
  return new Map(
    found.flatMap((group): [string | undefined, Omit<Candidate, 'record'>][] =>
      group ? [[group.key, { subject: { type: 'fix', id: group.id }, about: ofFix(group) }]] : [],
    ),
  );
}

/** The part of some records that a rule of this kind looks at. */
export const recordsFor = (type: TicketSubjectType, ids: readonly string[]): Records =>
  isOfFindings(type) ? { findingIds: ids, vulnerabilityIds: [] } : { findingIds: [], vulnerabilityIds: ids };
