import { applications } from '#shared/exposure/applications/application.ts';
import { assertCondition } from '#shared/exposure/asset-rules/condition.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { markPreviewed, PREVIEW } from '#shared/findings/view/previewed.ts';
import { assertRuleFilter, withSaved } from '#shared/platform/filter/rule.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { matchedBy, recordsFor } from '#shared/ticketing/by-rules.ts';
import { connectionFor, readConnections } from '#shared/ticketing/connections.ts';
import { filteredBy, isOfFindings } from '#shared/ticketing/match.ts';
import { openJira } from '#shared/ticketing/open.ts';
import { ticketOf } from '#shared/ticketing/open-ticket.ts';
import { concernedIds, concernedOrdinals, MAX_TICKET_RULES } from '#shared/ticketing/rules.ts';
import { saveTicketRule } from '#shared/ticketing/save-rule.ts';
import { TicketRule as Rule, type TicketRule, ticketRules } from '#shared/ticketing/ticket-rule.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { MAX_SAMPLE, type RulePreview, type ticketingRuleRoutes } from './rule-routes.ts';

const AT_ONCE = 50;
/** Records that are read together. */
const PART = 500;
/** A preview answers within some seconds. */
const MAX_MS = 8_000;

/** Counts the tickets that a rule would open now, and checks whether Jira would accept them. */
async function previewRule(context: Context, draft: Omit<Draft<TicketRule>, 'taskId'>): Promise<RulePreview> {
  const { table } = context;
  const rule = table.stamp<TicketRule>({ ...(await checked(table, draft)), id: newId(), taskId: null });
  const [ordinals, problems] = await Promise.all([concernedOrdinals(table, rule), problemsOf(context, rule)]);
  const { examined, matched } = await metBy(table, rule, ordinals);
  const current = await eachAtOnce(matched, AT_ONCE, ({ about }) => ticketOf(table, about.key));
  const lacking = matched.filter((_, n) => !current[n]);
  return {
    examined,
    isComplete: examined === ordinals.length,
    matched: matched.length,
    withoutTicket: lacking.length,
    problems,
    sample: matched
      .slice(0, MAX_SAMPLE)
      .map(({ subject, about: { title, severity } }) => ({ ...subject, title, severity })),
    links: await listOf(
      table,
      rule,
      lacking.map(({ subject }) => subject.id),
    ),
  };
}

/** The subjects that meet the rule, among the newest records that are read in time. */
async function metBy(table: Table, rule: TicketRule, ordinals: readonly number[]) {
  const end = elapsedMs() + MAX_MS;
  const met = new Map<string, Awaited<ReturnType<typeof matchedBy>>[number]>();
  let examined = 0;
  for (const part of chunksOf(ordinals, PART)) {
    if (elapsedMs() > end) break;
    const ids = await concernedIds(table, rule, part);
    for (const one of await matchedBy(table, [rule], recordsFor(rule.opensFor, ids))) met.set(one.about.key, one);
    examined += part.length;
  }
  return { examined, matched: [...met.values()] };
}

/** The list of these records for a day; fixes are in no list with filters. */
async function listOf(
  table: Table,
  { opensFor }: TicketRule,
  recordIds: readonly string[],
): Promise<RulePreview['links']> {
  if (opensFor === 'fix') return { list: null };
  const [entity, path] = isOfFindings(opensFor) ? [findings, 'findings'] : [vulnerabilities, 'vulnerabilities'];
  const id = newId();
  await markPreviewed(table, entity, { id, ordinals: recordIds.map(ordinalOf) });
  return { list: `/api/v1/${path}?filter=${PREVIEW}:${id}` };
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

type Routes = typeof ticketingRuleRoutes;

/** @throws validation_failed */
async function assertConnection(table: Table, connectionId: string | null | undefined): Promise<void> {
  if (connectionId && !(await table.find(ticketingConnections, connectionId)))
    throw invalid('connectionId', 'must be the id of a connection: GET /api/v1/ticketing/connections');
}

type Checked = Pick<TicketRule, 'conditions' | 'filter' | 'filterId' | 'opensFor'>;

/** The rule with the saved filter that it names. @throws validation_failed */
async function checked<R extends Checked>(table: Table, rule: R, given: Partial<Checked> = rule): Promise<R> {
  const { entity, fields } = filteredBy(rule.opensFor);
  const named = await withSaved(table, entity, { rule, given });
  const { filter, conditions } = named;
  if (filter != null) await assertRuleFilter(fields, filter);
  else if (Object.keys(conditions).length === 0)
    throw invalid('conditions', 'must have at least one condition, unless there is a filter');
  const { applicationId, asset } = given.conditions ?? {};
  if (asset) await assertCondition(asset, 'conditions.asset');
  if (applicationId && !(await table.find(applications, applicationId)))
    throw invalid('conditions.applicationId', 'must be the id of an application: GET /api/v1/software/applications');
  return named;
}

async function createRule(call: Call<Routes['createTicketRule']>) {
  const { table, body } = call;
  await assertConnection(table, body.connectionId);
  const named = await checked(table, body);
  const { totalCount } = await table.list(ticketRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_TICKET_RULES) throw fixedLimit('An organization', MAX_TICKET_RULES, 'ticket rules');
  const [id = ''] = await table.reserve(ticketRules, 1);
  const rule = table.stamp<TicketRule>({ ...named, id, taskId: null });
  return saveTicketRule(call, rule, (batch, next) => batch.create(ticketRules, next));
}

const updateRule = (call: Call<Routes['updateTicketRule']>) =>
  retry(async () => {
    const { table, params, body, ifMatch } = call;
    const before = await table.get(ticketRules, params.id, true);
    const changes = mergePatch(Rule, before, { patch: body, ifMatch });
    if (!changes) return before;
    await assertConnection(table, changes.connectionId);
    const { filter } = await checked(table, { ...before, ...changes }, changes);
    const after = table.changed<TicketRule, never>(before, { ...changes, filter });
    return saveTicketRule(call, after, (batch, next) => batch.update(ticketRules, before, next));
  });

export const ticketingRuleHandlers: Handlers<Routes> = {
  listTicketRules: ({ table, query }) => table.list(ticketRules, query),
  createTicketRule: createRule,
  previewTicketRule: (call) => previewRule(call, call.body),
  getTicketRule: ({ table, params }) => table.get(ticketRules, params.id),
  updateTicketRule: updateRule,
  deleteTicketRule: ({ table, params }) =>
    retry(async () => table.delete(ticketRules, await table.get(ticketRules, params.id, true))),
};
