import { saveRule } from '#shared/findings/suppression/save.ts';
import { assertConditions } from '#shared/findings/suppression/stored.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { type Caller, isAdmin, mayAcceptRisks } from '#shared/platform/auth/permissions.ts';
import type { RuleFilter } from '#shared/platform/filter/rule.ts';
import type { SavedFilter, StoredSavedFilter } from '#shared/platform/filter/saved-filter.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { saveTicketRule } from '#shared/ticketing/save-rule.ts';
import { type TicketRule, ticketRules } from '#shared/ticketing/ticket-rule.ts';

type Users = { suppressing: SuppressionRule[]; ticketing: TicketRule[] };

/** The rules that use one of these filters. */
async function usersOf(table: Table, filters: readonly StoredSavedFilter[]): Promise<Users> {
  const selection = { where: { filter: filters.map(({ id }) => id) } };
  const [suppressing, ticketing] = await Promise.all([
    recordsOf(table, suppressionRules, selection),
    recordsOf(table, ticketRules, selection),
  ]);
  return { suppressing, ticketing };
}

/** The filters with the rules that use them. */
export async function withUsers(table: Table, filters: readonly StoredSavedFilter[]): Promise<SavedFilter[]> {
  const { suppressing, ticketing } = await usersOf(table, filters);
  const named = (type: SavedFilter['usedBy'][number]['type']) => (rule: SuppressionRule | TicketRule) => ({
    filterId: rule.filterId,
    user: { type, id: rule.id, name: rule.name },
  });
  const all = [...suppressing.map(named('suppression_rule')), ...ticketing.map(named('ticket_rule'))];
  return filters.map((filter) => ({
    ...filter,
    usedBy: all.filter(({ filterId }) => filterId === filter.id).map(({ user }) => user),
  }));
}

/** @throws conflict with the rules that use a filter */
export function assertUnused({ usedBy }: SavedFilter, what: string): void {
  if (usedBy.length === 0) return;
  const names = usedBy.map(({ type, id, name }) => `${name} (${type} ${id})`).join(', ');
  throw conflict(`The filter cannot be ${what} while rules use it: ${names}.`);
}

/** Whether the caller may change the rules that use filters: suppression rules and rules that open tickets. */
export const maySetRules = (caller: Caller): boolean => isAdmin(caller, 'findings') && isAdmin(caller, 'ticketing');

/** @throws conflict, validation_failed where the caller may not change the rules, or a rule cannot have the filter */
export async function assertFollowing(table: Table, caller: Caller, filter: StoredSavedFilter): Promise<void> {
  const { suppressing, ticketing } = await usersOf(table, [filter]);
  if (suppressing.length + ticketing.length === 0) return;
  if (!maySetRules(caller))
    throw conflict('Only an administrator changes a filter that rules use: the rules change with it.');
  if (suppressing.some(({ status }) => status === 'risk_accepted') && !mayAcceptRisks(caller))
    throw conflict('A rule that accepts risks uses the filter: an API key approves nothing, use an account.');
  for (const rule of suppressing) await assertConditions({ ...rule, filter: filter.filter });
}

/** Brings the rules of a filter to its state, each with the task that a change of the rule starts. */
export async function follow(
  context: Context,
  { id: approverId, name }: Caller,
  filter: StoredSavedFilter,
): Promise<void> {
  const { table } = context;
  const { suppressing, ticketing } = await usersOf(table, [filter]);
  const differs = (rule: { filter?: RuleFilter | null | undefined }) =>
    JSON.stringify(rule.filter) !== JSON.stringify(filter.filter);
  for (const rule of suppressing.filter(differs)) {
    const changes = { filter: filter.filter, approver: { id: approverId, name } };
    await saveRule(context, table.changed<SuppressionRule, never>(rule, changes), rule);
  }
  for (const rule of ticketing.filter(differs)) {
    const after = table.changed<TicketRule, never>(rule, { filter: filter.filter });
    await saveTicketRule(context, after, (batch, next) => batch.update(ticketRules, rule, next));
  }
}
