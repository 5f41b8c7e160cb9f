import { applications, type StoredApplication } from '#shared/exposure/applications/application.ts';
import { openRiskOf } from '#shared/exposure/applications/open-risk.ts';
import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { scoreWrite } from '#shared/exposure/applications/scores.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

const AT_ONCE = 8;

/** Notes the risk of each application of an organization: the trend of its summary. The timer ends with the last application. */
export async function scoreApplications({ table, timer }: Due): Promise<void> {
  const all = await retry(() => scoreAll(table), isGone);
  await table.write(removeTimer(timer), ...(all.length > 0 ? [putTimer(dailyTimer('application', table))] : []));
}

/** A score is kept only while its application exists. */
async function scoreAll(table: Table): Promise<StoredApplication[]> {
  const all = await recordsOf(table, applications);
  const scored = await eachAtOnce(all, AT_ONCE, async (application) => ({
    id: application.id,
    score: applicationRisk(await openRiskOf(table, { name: 'application', values: [application.id] }), application)
      .score,
  }));
  await commitMany(table.batch, scored, (batch, { id, score }) =>
    batch.write(scoreWrite(table, id, score), existsCheck(table, applications, id)),
  );
  return all;
}

/** An application was deleted meanwhile. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';
