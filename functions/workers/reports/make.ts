import * as z from 'zod';
import { namedFilter } from '#shared/platform/filter/read.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { endsTask, type Failure, TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { compose, tablesOf } from '#shared/reporting/compose.ts';
import type { ReportDocument } from '#shared/reporting/document.ts';
import { type Facts, hashOf } from '#shared/reporting/facts.ts';
import { reports, type StoredReport } from '#shared/reporting/report.ts';
import { headlineOf } from '#shared/reporting/sections/summary.ts';
import { frozenFacts, placeOf, removeFrozen } from './freeze.ts';
import { recipientsOf, removeUnchanged } from './scheduled.ts';
import { writeFiles } from './write-files.ts';

const Input = z.object({ reportId: z.uuid() });
const reportOf = ({ input }: Work['task']): string => Input.parse(input).reportId;

type Result = { reportId: string; kept: boolean };

/** Makes a report once, or ends with the reason. An attempt that follows another one goes on with the same facts. */
export async function makeReport(work: Work): Promise<Result> {
  const { table, task } = work;
  const report = await table.find(reports, reportOf(task), true);
  if (!report) throw new TaskFailure('not_found', 'The report was deleted before it was made.');
  if (report.status === 'made') {
    // an attempt that died here has left its rows
    await removeFrozen(placeOf(work, report), 'rows');
    return { reportId: report.id, kept: true };
  }
  try {
    return await makeOf(work, report);
  } catch (error) {
    if (endsTask(error)) await failReport(work, { code: error.code, message: error.message });
    throw error;
  }
}

async function makeOf(context: Context, given: StoredReport): Promise<Result> {
  const report = await withFilter(context, given);
  const place = placeOf(context, report);
  const facts = await frozenFacts(context, report);
  const factsHash = hashOf(facts);
  if (await removeUnchanged(context, report, factsHash)) {
    await removeFrozen(place, 'all');
    return { reportId: report.id, kept: false };
  }
  const document = compose(facts, context.connections.settings.BASE_URL);
  await writeFiles(context, { facts, document });
  await keep(context, report, { facts, factsHash, document });
  await removeFrozen(place, 'rows');
  return { reportId: report.id, kept: true };
}

/** A report keeps the filter that its saved filter is now. */
async function withFilter({ table }: Context, report: StoredReport): Promise<StoredReport> {
  const { filterId, filter, createdBy } = report;
  if (filterId === null || filter !== null) return report;
  const saved = await namedFilter({ table, caller: createdBy }, { id: filterId, entity: 'finding' });
  return table.update(reports, report, { filter: saved });
}

type Made = { facts: Facts; factsHash: string; document: ReportDocument };

/** Notes what was made, in one transaction with the letters about it. */
async function keep({ table, connections }: Context, report: StoredReport, { facts, factsHash, document }: Made) {
  const { asOf, sections } = facts;
  const { letters, endpointIds } = await recipientsOf(table, report, document.title);
  const changes = {
    status: 'made' as const,
    error: null,
    asOf,
    factsHash,
    headline: sections.summary ? headlineOf(sections.summary) : null,
    tables: tablesOf(document).map(({ id, title, total: rows }) => ({ id, title, rows })),
    deliveries: letters.map(({ user, task }) => ({ user, taskId: task.id })),
    endpointIds,
  };
  await table.update(reports, report, changes, (batch) => batch.write(...letters.flatMap(({ writes }) => writes)));
  for (const { task } of letters) await sendOutbox({ connections, table }, { task });
}

/** Says at the report why it could not be made. */
export async function failReport({ table, task }: Work, error: Failure): Promise<void> {
  const report = await table.find(reports, reportOf(task), true);
  if (report && report.status !== 'made') await table.update(reports, report, { status: 'failed', error });
}
