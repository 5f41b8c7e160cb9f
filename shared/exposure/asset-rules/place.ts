import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from '../applications/application.ts';
import { applicationRules } from './application-rule.ts';

/** @throws not_found for the application, validation_failed for an environment that it does not have */
export async function assertPlace(table: Table, id: string, environmentId: string | null | undefined): Promise<void> {
  const { environments } = await table.get(applications, id);
  if (environmentId && !environments.some((one) => one.id === environmentId))
    throw invalid('environmentId', 'must be the id of an environment of the application');
}

/** @throws not_found for a rule of another application */
export async function ruleOf(table: Table, { id, rule_id: ruleId }: { id: string; rule_id: string }) {
  await table.get(applications, id);
  const rule = await table.get(applicationRules, ruleId, true);
  if (rule.applicationId !== id) throw notFound('application rule', ruleId);
  return rule;
}
