import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { MAX_WAIT_SECONDS } from '../tasks.ts';
import type { Report } from './reports.ts';

type GateResult = Schemas['GateResult'];
type Judged = { file: string; result: GateResult | undefined; problem: string | null };
/** The verdict on all reports of a build together. */
export type Verdict = Pick<GateResult, 'baseRef' | 'findings' | 'reasons'> & {
  state: 'passed' | 'failed' | 'incomplete';
  reports: { file: string; problem: string | null }[];
};
export type Conditions = {
  failOn: GateResult['findings'][number]['severity'];
  newOnly: boolean;
  maxAgeDays: number | undefined;
  filter: string | undefined;
};
type Judging = { reports: readonly Report[]; conditions: Conditions; least: number; until: number };

/** Judges each report as soon as the service has read it, and then all together. */
export async function verdictOf(context: Context, client: Client, judging: Judging): Promise<Verdict> {
  const judged: Judged[] = [];
  for (const report of judging.reports) judged.push(await judgedReport(context, client, { ...judging, report }));
  context.progress('');
  const { least } = judging;
  const problems = judged.flatMap(({ file, problem }) => (problem === null ? [] : [`${file}: ${problem}`]));
  if (judged.length < least) problems.push(`${judged.length} of ${least} reports were imported.`);
  const failing = judged.filter(({ result, problem }) => result && !result.passed && problem === null);
  return {
    state: stateOf(failing.length > 0, problems.length > 0),
    reasons: [
      ...failing.flatMap(({ file, result }) => (result?.reasons ?? []).map((reason) => `${file}: ${reason}`)),
      ...problems,
    ],
    baseRef: judged.find(({ result }) => result?.baseRef)?.result?.baseRef ?? null,
    findings: [
      ...new Map(failing.flatMap(({ result }) => result?.findings ?? []).map((one) => [one.id, one])).values(),
    ],
    reports: judged.map(({ file, problem }) => ({ file, problem })),
  };
}

function stateOf(isFailed: boolean, isIncomplete: boolean): Verdict['state'] {
  if (isFailed) return 'failed';
  return isIncomplete ? 'incomplete' : 'passed';
}

async function judgedReport(
  context: Context,
  client: Client,
  { report, conditions, until }: Judging & { report: Report },
): Promise<Judged> {
  const { file } = report;
  if ('problem' in report) return { file, result: undefined, problem: report.problem };
  for (;;) {
    context.progress(`${file}: the service reads it`);
    const waitSeconds = Math.max(0, Math.min(MAX_WAIT_SECONDS, Math.ceil((until - Date.now()) / 1000)));
    const params = { path: { taskId: report.taskId }, query: { ...conditions, waitSeconds } };
    try {
      const result = await answerOf(client.GET('/api/v1/findings/import/{taskId}/gate', { params }));
      return { file, result, problem: await problemOf(client, report.taskId) };
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'conflict') throw error;
      if (Date.now() > until) return { file, result: undefined, problem: error.message };
    }
  }
}

/** Why a report proves nothing: it could not be read, or its scan did not come to its end. */
async function problemOf(client: Client, id: string): Promise<string | null> {
  const task = await answerOf(client.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
  if (task.status !== 'succeeded') return task.error?.message ?? `its import ${task.status}`;
  if (task.operation !== 'ingest_report') return 'the task is no import';
  const gap = task.result?.incomplete?.find(({ code, partly }) => code !== 'no_scan' && !partly);
  return gap ? `it is incomplete: ${gap.message}` : null;
}
