import { commitMany } from '#shared/platform/table/many.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { forgetScores, scoresOf } from '../applications/scores.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { applicationRules } from './application-rule.ts';
import { exclusionTimer } from './exclusion-timer.ts';
import { keptScores, keptWrite, readKept } from './kept.ts';

/**
 * Deletes the rules, exclusions and scores of a deleted application, and keeps them for its restoration. Repeating it changes
 * nothing.
 */
export async function removeRulesOf(table: Table, applicationId: string): Promise<void> {
  const where = { application: applicationId };
  const rules = await recordsOf(table, applicationRules, { parent: where });
  await commitMany(table.batch, rules, (batch, rule) => {
    batch.delete(applicationRules, rule);
    batch.write(...keptWrite(table, { applicationId, kind: 'rules' }, rule));
  });
  const exclusions = await recordsOf(table, applicationExclusions, { parent: where });
  await commitMany(table.batch, exclusions, (batch, exclusion) => {
    batch.delete(applicationExclusions, exclusion);
    batch.write(
      ...exclusionTimer(table, exclusion, undefined),
      ...keptWrite(table, { applicationId, kind: 'exclusions' }, exclusion),
    );
  });
  const scores = await scoresOf(table, applicationId);
  // a repeated removal finds the scores that the first has left
  const isKept = (await readKept(table, applicationId, 'scores')).length > 0;
  if (!isKept) await table.commit((batch) => batch.write(...keptScores(table, applicationId, scores)));
  await forgetScores(table, scores);
}
