import type * as z from 'zod';
import type { Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type DetectionRule, detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { weeksOf } from '#shared/soc/detection/rule-weeks.ts';
import { looksAt } from '#shared/soc/detection/ruleset.ts';
import { createRule, deleteRule, updateRule } from '#shared/soc/detection/save-rule.ts';
import { ensureStarterRules } from '#shared/soc/detection/starter.ts';
import { sourcesSeen } from '#shared/soc/siem/seen-sources.ts';
import { previewException } from './preview-exception.ts';
import { queuePack } from './queue-pack.ts';
import type { detectionRuleRoutes, ruleFilters } from './routes.ts';
import { tryRule } from './try-rule.ts';

type Filter = z.output<z.ZodObject<typeof ruleFilters>> & { search?: string | undefined };

function selection({ search, technique, ...values }: Filter): Selection {
  const where = given({ ...values, technique: technique?.toUpperCase() });
  return { ...(Object.keys(where).length > 0 && { where }), ...(search !== undefined && { search }) };
}

async function list({ table, query }: { table: Table; query: Filter & PageRange }) {
  const { paginateFrom, paginateSize, ids, ...filter } = query;
  await ensureStarterRules(table);
  return table.list(detectionRules, { paginateFrom, paginateSize, ids, ...selection(filter) });
}

async function shown(table: Table, rule: DetectionRule) {
  const seen = await sourcesSeen(table);
  return {
    ...rule,
    unseenLogsources: rule.logsources.filter((source) => !seen.some((one) => looksAt(source, one))),
  };
}

export const detectionRuleHandlers: Handlers<typeof detectionRuleRoutes> = {
  listDetectionRules: list,
  searchDetectionRules: list,

  createDetectionRule: async ({ table, body }) => shown(table, await createRule(table, body)),

  testDetectionRule: ({ table, body }) => tryRule(table, body),

  getDetectionRule: async ({ table, params }) => shown(table, await table.get(detectionRules, params.id)),

  importDetectionRules: async ({ connections, table, query, body }) =>
    answerWithin(table, await queuePack({ connections, table }, body), query.waitSeconds),

  async getDetectionRuleWeeks({ table, params }) {
    const { id } = await table.get(detectionRules, params.id);
    return { weeks: await weeksOf(table, id) };
  },

  previewDetectionException: async ({ connections, table, params, body }) =>
    previewException({ connections, table }, await table.get(detectionRules, params.id), body.where),

  updateDetectionRule: async ({ table, params, body, ifMatch }) =>
    shown(table, await updateRule(table, params.id, { patch: body, ifMatch })),

  deleteDetectionRule: ({ table, params }) => deleteRule(table, params.id),
};
