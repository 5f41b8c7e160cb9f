import { applicationExclusions } from '../entities/application-exclusion.ts';
import { applicationRules } from '../entities/application-rule.ts';
import { commitMany } from '../table/many.ts';
import { recordsOf } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { exclusionTimer } from './exclusion-timer.ts';

/** Deletes the rules and exclusions of an application that is gone. Repeating it changes nothing. */
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
