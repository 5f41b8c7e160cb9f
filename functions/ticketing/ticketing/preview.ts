import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { matchedBy, recordsFor } from '#shared/ticketing/by-rules.ts';
import { connectionFor, readConnections } from '#shared/ticketing/connections.ts';
import { openJira } from '#shared/ticketing/open.ts';
import { ticketOf } from '#shared/ticketing/open-ticket.ts';
import { concernedIds, concernedOrdinals } from '#shared/ticketing/rules.ts';
import type { TicketRule } from '#shared/ticketing/ticket-rule.ts';
import type { TicketingConnection } from '#shared/ticketing/ticketing-connection.ts';
import { MAX_EXAMINED, MAX_SAMPLE, type RulePreview } from './rule-routes.ts';

const AT_ONCE = 50;

/** Counts the tickets that a rule would open now, and checks whether Jira would accept them. */
export async function previewRule(context: Context, draft: Omit<Draft<TicketRule>, 'taskId'>): Promise<RulePreview> {
  const { table } = context;
  const rule = table.stamp<TicketRule>({ ...draft, id: newId(), taskId: null });
  const [ordinals, problems] = await Promise.all([concernedOrdinals(table, rule), problemsOf(context, rule)]);
  const examined = ordinals.slice(0, MAX_EXAMINED);
  const ids = await concernedIds(table, rule, examined);
  const matched = await matchedBy(table, [rule], recordsFor(rule.opensFor, ids));
  const current = await eachAtOnce(matched, AT_ONCE, ({ about }) => ticketOf(table, about.key));
  return {
    examined: examined.length,
    isComplete: examined.length === ordinals.length,
    matched: matched.length,
    withoutTicket: current.filter((ticket) => !ticket).length,
    problems,
    sample: matched
      .slice(0, MAX_SAMPLE)
      .map(({ subject, about: { title, severity } }) => ({ ...subject, title, severity })),
  };
}

async function problemsOf(context: Context, rule: TicketRule): Promise<string[]> {
  const connection = connectionFor(await readConnections(context.table), rule.connectionId);
  if (!connection) return ['No connection is enabled and has a token: POST /api/v1/ticketing/connections'];
  try {
    return await askJira(context, connection, rule);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === 'not_found') return [`Jira has no project ${rule.project}, or does not show it.`];
    return [error.message];
  }
}

async function askJira(
  { connections, table }: Context,
  connection: TicketingConnection,
  { project, issueType }: TicketRule,
) {
  const jira = await openJira({ connections, table }, connection);
  const types = await jira.issueTypes(project);
  return types.includes(issueType)
    ? []
    : [`The project ${project} has no issues of the type ${issueType}, but ${types.join(', ')}.`];
}
