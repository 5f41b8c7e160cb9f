import { hasFeed, leaveCredentials } from '#shared/credentials/made.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { assetTagRules } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { assignedTo } from '#shared/organizations/assigned.ts';
import { anybody } from '#shared/organizations/hand-over.ts';
import { MAX_TEAMS, teams } from '#shared/people/team.ts';
import { savedFilters } from '#shared/platform/filter/saved-filter.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ticketRules } from '#shared/ticketing/ticket-rule.ts';

/** Lists what an account made, leads, owns and has to do. @throws not_found for an id of no account */
export async function belongingsOf(table: Table, id: string) {
  const account = await anybody(table, id);
  const [assigned, { made }, calendarFeed, led, savedBy, rules] = await Promise.all([
    assignedTo(table, id),
    leaveCredentials(table, id, false),
    hasFeed(table, id),
    table.list(teams, { paginateFrom: 0, paginateSize: MAX_TEAMS, where: { lead: id } }),
    recordsOf(table, savedFilters),
    rulesBy(table, id),
  ]);
  const saved = savedBy.filter(({ createdBy }) => createdBy.id === id);
  return {
    id,
    name: account.name,
    assigned,
    made: { ...made, calendarFeed },
    teamsLed: led.data.map(({ id: team, name }) => ({ id: team, name })),
    savedFilters: saved.map((one) => ({ id: one.id, name: one.name })),
    rules,
  };
}

/** Rules stay in force when the account that made them ends. */
async function rulesBy(table: Table, id: string) {
  const [ofFindings, ofTickets, ofTags, ofApplications] = await Promise.all([
    recordsOf(table, suppressionRules),
    recordsOf(table, ticketRules),
    recordsOf(table, assetTagRules),
    recordsOf(table, applicationRules),
  ]);
  const kinds = [
    ['suppression_rule', ofFindings],
    ['ticket_rule', ofTickets],
    ['asset_tag_rule', ofTags],
    ['application_rule', ofApplications],
  ] as const;
  return kinds.flatMap(([kind, all]) =>
    all.flatMap((rule) => (rule.createdBy.id === id ? [{ kind, id: rule.id, name: rule.name }] : [])),
  );
}
