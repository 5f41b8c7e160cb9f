import { openRiskOf } from '#shared/applications/open-risk.ts';
import { applicationRisk } from '#shared/applications/risk.ts';
import { scoreWrite } from '#shared/applications/scores.ts';
import { applications, type StoredApplication } from '#shared/entities/application.ts';
import { eachAtOnce } from '#shared/runtime/chunks.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import { commitMany } from '#shared/table/many.ts';
import { recordsOf } from '#shared/table/selected.ts';
import { standing } from '#shared/table/standing.ts';
import type { Table } from '#shared/table/table.ts';
import { dailyTimer } from '#shared/timers/daily.ts';
import { putTimer, removeTimer, type Timer } from '#shared/timers/timers.ts';
import { tableOf } from './table-of.ts';

const AT_ONCE = 8;

/** Notes the risk of each application of an organization: the trend of its summary. The timer ends with the last application. */
export async function scoreApplications({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  const all = await retry(() => scoreAll(table), isGone);
  const batch = table.batch();
  batch.write(removeTimer(timer), ...(all.length > 0 ? [putTimer(dailyTimer('application', table))] : []));
  await batch.commit();
}

/** Each score is kept while its application stands, so that none outlives it. */
async function scoreAll(table: Table): Promise<StoredApplication[]> {
  const all = await recordsOf(table, applications);
  const scored = await eachAtOnce(all, AT_ONCE, async (application) => ({
    id: application.id,
    score: applicationRisk(await openRiskOf(table, application.id), application).score,
  }));
  await commitMany(table.batch, scored, (batch, { id, score }) =>
    batch.write(scoreWrite(table, id, score), standing(table, applications, id)),
  );
  return all;
}

/** An application was deleted meanwhile. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';
