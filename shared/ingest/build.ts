import { hash } from 'node:crypto';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The build of CI that a report belongs to: its id says nothing without the repository, because many systems only count. */
export type Build = { id: string; repository: string };

type BuildReport = {
  build: string;
  taskId: string;
  ref: string;
  scope: string;
  /** The sender names the kind of the scan, by which its scope is that of one tool. */
  isNamed: boolean;
  /** All of its findings are on its target. */
  ofTarget?: true | undefined;
  at: string;
  expiresAt: string;
};

export const buildReports = defineRow<BuildReport, Pick<BuildReport, 'build' | 'taskId'>>({
  name: 'build-report',
  about: 'a report of a build of CI, by the repository and the id of the build',
  key: ({ build, taskId }) => [build, taskId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

const keyOf = ({ id, repository }: Build): string =>
  hash('sha256', JSON.stringify([repositoryName(repository), id]), 'base64url').slice(0, 22);

type Sent = {
  taskId: string;
  scope: string;
  ref?: string | undefined;
  scanType?: string | null | undefined;
  targetOnly?: true | undefined;
};

/** Adds a report to its build, in the transaction that queues its import. `ref`: absent for the default branch. */
export function buildWrite(
  { tenant }: Table,
  build: Build,
  { ref = '', scanType, targetOnly: ofTarget, ...report }: Sent,
): Write {
  const row = {
    build: keyOf(build),
    ref,
    isNamed: scanType != null,
    ...(ofTarget && { ofTarget }),
    ...report,
    at: now(),
    expiresAt: inSeconds(TASK_KEPT_SECONDS),
  };
  return putWrite(tenant, buildReports, { row });
}

/** The reports of a build, the oldest first. */
export async function reportsOfBuild(
  table: Table,
  { id, repositories }: { id: string; repositories: readonly string[] },
): Promise<BuildReport[]> {
  const keys = [...new Set(repositories.map((repository) => keyOf({ id, repository })))];
  const found = await Promise.all(keys.map((key) => table.rows(buildReports).query(key, { consistent: true })));
  return found.flat().toSorted((a, b) => (`${a.at} ${a.taskId}` < `${b.at} ${b.taskId}` ? -1 : 1));
}
