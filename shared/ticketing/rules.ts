import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf, recordsAt, recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { spelledAdvisory } from '#shared/vulnerabilities/vulnerability/contributions.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type TicketRule, type TicketSubjectType, ticketRules } from './ticket-rule.ts';

/** The most rules of an organization: each change of a finding is compared with all of them. */
export const MAX_TICKET_RULES = 50;

/** The rules that are enabled, in their order. */
export async function readTicketRules(table: Table): Promise<TicketRule[]> {
  const rules = await recordsOf(table, ticketRules);
  return rules
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.order - b.order || (a.createdAt < b.createdAt ? -1 : 1));
}

type Selecting = Pick<TicketRule, 'conditions' | 'opensFor'>;

/** The collection from which tickets of a kind are opened: tickets of fixes come from vulnerabilities. */
export const isOfFindings = (type: TicketSubjectType): boolean => type === 'finding';

/** The ordinals of the open records that a rule may concern, newest first. */
export const concernedOrdinals = (table: Table, rule: Selecting): Promise<number[]> =>
  isOfFindings(rule.opensFor)
    ? ordinalsOf(table, findings, selectionOf(rule))
    : ordinalsOf(table, vulnerabilities, selectionOf(rule));

/** The ids of the records at such ordinals. */
export async function concernedIds(
  table: Table,
  { opensFor }: Selecting,
  ordinals: readonly number[],
): Promise<string[]> {
  const found = isOfFindings(opensFor)
    ? await recordsAt(table, findings, ordinals)
    : await recordsAt(table, vulnerabilities, ordinals);
  return found.map(({ id }) => id);
}

/** The index values that each such record has. */
function selectionOf({ opensFor, conditions }: Selecting): Selection {
  const { severities, kev, tool, ruleId, advisory, tag, applicationId } = conditions;
  const ofFindings = isOfFindings(opensFor);
  const id = advisory && spelledAdvisory(advisory);
  const own = ofFindings ? { ruleId, cve: id?.toUpperCase() } : { advisory: id };
  const shared = {
    status: OPEN_STATUSES,
    severity: severities,
    kev: kev && 'true',
    tool,
    tag,
    application: applicationId,
  };
  return { where: given({ ...shared, ...own }) };
}
