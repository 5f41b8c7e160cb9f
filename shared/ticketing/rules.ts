import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf, recordsAt, recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { isOfFindings, readyRules } from './match.ts';
import { type TicketRule, ticketRules } from './ticket-rule.ts';

/** The most rules of an organization: each change of a finding is compared with all of them. */
export const MAX_TICKET_RULES = 50;

/** The rules that are enabled, in their order. */
export async function readTicketRules(table: Table): Promise<TicketRule[]> {
  const rules = await recordsOf(table, ticketRules);
  return rules
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.order - b.order || (a.createdAt < b.createdAt ? -1 : 1));
}

type Selecting = Pick<TicketRule, 'conditions' | 'filter' | 'opensFor'>;

/** The ordinals of the open records that a rule may concern, newest first. */
export async function concernedOrdinals(table: Table, rule: Selecting): Promise<number[]> {
  const selection = await selectionOf(rule);
  return isOfFindings(rule.opensFor)
    ? ordinalsOf(table, findings, selection)
    : ordinalsOf(table, vulnerabilities, selection);
}

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

/** The open records with the index values that each record has that meets the rule. */
async function selectionOf(rule: Selecting): Promise<Selection> {
  const [ready] = await readyRules([rule]);
  return { where: { status: OPEN_STATUSES }, matching: ready?.compiled.within };
}
