import { commitMany } from '#shared/platform/table/many.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { applicationRules } from './application-rule.ts';
import { exclusionTimer } from './exclusion-timer.ts';

/** Deletes the rules and exclusions of a deleted application. Repeating it changes nothing. */
export async function removeRulesOf(table: Table, applicationId: string): Promise<void> {
  const where = { application: applicationId };
  const rules = await recordsOf(table, applicationRules, { parent: where });
  await commitMany(table.batch, rules, (batch, rule) => batch.delete(applicationRules, rule));
  const exclusions = await recordsOf(table, applicationExclusions, { parent: where });
  await commitMany(table.batch, exclusions, (batch, exclusion) => {
    batch.delete(applicationExclusions, exclusion);
    batch.write(...exclusionTimer(table, exclusion, undefined));
  });
}
