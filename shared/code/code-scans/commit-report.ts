import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

type CommitReport = {
  /** The repository and the commit. */
  place: string;
  /** A later report of the same scan of the commit takes its place. */
  scope: string;
  taskId: string;
  at: string;
};

export const commitReports = defineRow<CommitReport, Pick<CommitReport, 'place' | 'scope'>>({
  name: 'commit-report',
  about:
    'the last report of each scan on a commit of a connected repository, by which its code host hears of the commit',
  key: ({ place, scope }) => [place, scope],
  expiresAt: ({ at }) => secondsAfter(at, TASK_KEPT_SECONDS),
});

export const commitPlace = (repositoryId: string, commit: string): string => `${repositoryId}#${commit.toLowerCase()}`;
