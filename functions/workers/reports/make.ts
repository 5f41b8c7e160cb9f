import * as z from 'zod';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { endsTask, type Failure, TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { compose, tablesOf } from '#shared/reporting/compose.ts';
import { beginCounting } from '#shared/reporting/counting.ts';
import type { ReportDocument } from '#shared/reporting/document.ts';
import { type Facts, gatherFacts, hashOf } from '#shared/reporting/facts.ts';
import { FACTS_FILE } from '#shared/reporting/files.ts';
import { reportFolder, reports, type StoredReport } from '#shared/reporting/report.ts';
import { headlineOf } from '#shared/reporting/sections/summary.ts';
import { lettersOf, removeUnchanged } from './scheduled.ts';
import { writeFiles } from './write-files.ts';

const Input = z.object({ reportId: z.uuid() });
const reportOf = ({ input }: Work['task']): string => Input.parse(input).reportId;

type Result = { reportId: string; kept: boolean };

/** Makes a report once, or ends with the reason. An attempt that follows another one goes on with the same facts. */
export async function makeReport(work: Work): Promise<Result> {
  const { table, task } = work;
  const report = await table.find(reports, reportOf(task), true);
  if (!report) throw new TaskFailure('not_found', 'The report was deleted before it was made.');
  if (report.status === 'made') return { reportId: report.id, kept: true };
  try {
    return await makeOf(work, report);
  } catch (error) {
    if (endsTask(error)) await failReport(work, { code: error.code, message: error.message });
    throw error;
  }
}

async function makeOf(context: Context, report: StoredReport): Promise<Result> {
  const facts = await factsOf(context, report);
  const factsHash = hashOf(facts);
  if (await removeUnchanged(context, report, factsHash)) return { reportId: report.id, kept: false };
  const { BASE_URL: baseUrl } = context.connections.settings;
  const document = compose(facts, baseUrl);
  const counting = await beginCounting(context, report, Date.parse(facts.asOf));
  await writeFiles(context, { facts, document, counting });
  await keep(context, report, { facts, factsHash, document });
  return { reportId: report.id, kept: true };
}

/** The facts are gathered once: they are kept before anything is made of them. */
async function factsOf(context: Context, report: StoredReport): Promise<Facts> {
  const { bucket } = context.connections;
  const key = reportFolder(context.table.organizationId, report.id) + FACTS_FILE;
  const kept = await bucket.get(key);
  if (kept) return JSON.parse(Buffer.from(kept).toString('utf8'));
  const facts = await gatherFacts(await beginCounting(context, report, nowMs()));
  await bucket.put(key, JSON.stringify(facts));
  return facts;
}

type Made = { facts: Facts; factsHash: string; document: ReportDocument };

/** Notes what was made, in one transaction with the letters about it. */
async function keep({ table, connections }: Context, report: StoredReport, { facts, factsHash, document }: Made) {
  const { asOf, sections } = facts;
  const letters = await lettersOf(table, report, document.title);
  const changes = {
    ...{ status: 'made' as const, error: null, asOf, factsHash },
    headline: sections.summary ? headlineOf(sections.summary) : null,
    tables: tablesOf(document).map(({ id, title, total: rows }) => ({ id, title, rows })),
    deliveries: letters.map(({ user, task }) => ({ user, taskId: task.id })),
  };
  await table.update(reports, report, changes, (batch) => batch.write(...letters.flatMap(({ writes }) => writes)));
  for (const { task } of letters) await sendOutbox({ connections, table }, { task });
}

/** Says at the report why it could not be made. */
export async function failReport({ table, task }: Work, error: Failure): Promise<void> {
  const report = await table.find(reports, reportOf(task), true);
  if (report && report.status !== 'made') await table.update(reports, report, { status: 'failed', error });
}
