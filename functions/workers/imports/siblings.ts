import type { ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Gap } from '#shared/reports/report/gap.ts';
import { withGap } from '#shared/reports/report/gap-words.ts';
import { importFiles } from './import-files.ts';
import type { Read } from './phases.ts';

/** The facts of all reports of a scan; `since` is when the first of them came in, in milliseconds since the epoch. */
type WholeScan = { facts: ReportFacts; since: number };

/**
 * A scan may bring several reports of one scope (a file for each host): none of them knows alone what is gone. The one
 * that is worked last speaks for all; undefined for those before it, and when one of them could not be read.
 */
export async function wholeScan(read: Read): Promise<WholeScan | undefined> {
  const { table, connections, scope, submission, files, manifest, at } = read;
  const { siblings = [] } = submission;
  if (siblings.length === 0) return { facts: factsOf(manifest), since: Date.parse(at) };
  await connections.bucket.put(files.facts, JSON.stringify(factsOf(manifest)));
  const rows = await Promise.all(siblings.map((id) => table.rows(taskRows).find({ id }, true)));
  const others = rows.filter((row) => row === undefined || row.input.scope === scope);
  const reports = await Promise.all(
    others.map((row) =>
      row?.status === 'succeeded'
        ? readJson<ReportFacts>(connections.bucket, importFiles(table.organizationId, row.id).facts)
        : undefined,
    ),
  );
  const known = reports.flatMap((facts) => facts ?? []);
  if (known.length < others.length) return undefined;
  const times = others.map((row) => Date.parse(row?.createdAt ?? at));
  return { facts: together([manifest, ...known]), since: Math.min(Date.parse(at), ...times) };
}

const factsOf = ({ covered, incomplete, gaps, tools, named }: ReportFacts): ReportFacts => ({
  covered,
  incomplete,
  tools,
  ...(gaps && { gaps }),
  ...(named && { named }),
});

const together = (all: readonly ReportFacts[]): ReportFacts => ({
  covered: {
    reached: all.flatMap(({ covered }) => covered.reached),
    unreached: all.flatMap(({ covered }) => covered.unreached),
    ports: all.flatMap(({ covered }) => covered.ports ?? []),
    scripts: all.some(({ covered }) => covered.scripts),
    unjudged: all.flatMap(({ covered }) => covered.unjudged ?? []),
  },
  incomplete: all.some(({ incomplete }) => incomplete),
  gaps: all.flatMap(({ gaps = [] }) => gaps).reduce(withGap, [] as Gap[]),
  tools: all.flatMap(({ tools }) => tools),
  ...(all.every(({ named }) => named) && { named: all.flatMap(({ named = [] }) => named) }),
});
