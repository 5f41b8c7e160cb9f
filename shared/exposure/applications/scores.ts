import { currentDay, DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey, stored } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The risk of an application at one moment of a day. */
export type Score = { applicationId: string; date: string; score: number; expiresAt: string };

const KEPT_DAYS = 400;

export const scoreRows = defineRow<Score, Pick<Score, 'applicationId' | 'date'>>({
  name: 'application-score',
  about: 'the risk score of an application on a day, written once a day',
  key: ({ applicationId, date }) => [applicationId, date],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export const scoreWrite = ({ tenant }: Table, applicationId: string, score: number) => {
  const expiresAt = new Date(nowMs() + KEPT_DAYS * DAY_MS).toISOString();
  return putWrite(tenant, scoreRows, { row: { applicationId, date: currentDay(), score, expiresAt } });
};

/** The scores of an application on these days, the oldest first. */
export const scoresBetween = (table: Table, applicationId: string, between: { from: string; to: string }) =>
  table.rows(scoreRows).query(applicationId, { between });

export const scoresOf = (table: Table, applicationId: string) => table.rows(scoreRows).query(applicationId);

/** Removes the scores of a deleted application. */
export const forgetScores = ({ dynamo, tenant }: Table, scores: readonly Score[]): Promise<void> =>
  writeRows(dynamo, { remove: scores.map((row) => rowKey(tenant, scoreRows, row)) });

/** Writes the scores of a restored application again. */
export const keepScores = ({ dynamo, tenant }: Table, scores: readonly Score[]): Promise<void> =>
  writeRows(dynamo, { put: scores.map((row) => stored(tenant, scoreRows, row)) });
