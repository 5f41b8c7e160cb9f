import { conflict } from '#shared/platform/runtime/errors.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ticketRules } from './ticket-rule.ts';

/** @throws conflict while a rule of tickets asks for an application */
export async function assertNoTicketRule(table: Table, applicationId: string): Promise<void> {
  const rules = await recordsOf(table, ticketRules);
  const uses = rules.filter(({ conditions }) => conditions.applicationId === applicationId);
  const details = uses.map((rule) => ({ path: 'id', message: `the ticket rule ${rule.id} (${rule.name})` }));
  if (uses.length > 0)
    throw conflict(`This application is in use: ${details.map(({ message }) => message).join(', ')}.`, details);
}
