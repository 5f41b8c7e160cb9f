import { localCredentials, localRegion } from '#local/credentials.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { asAdministrator, finished, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';
import { settled } from './settled.ts';

type Sizes = { triage: number; rule: number };

/**
 * Changes many findings at once: a tag, an accepted risk and its undoing, then a suppression rule over more findings
 * and its removal. Seconds are from the request to the end of the task; the memory is the highest of the whole system's
 * process, with its imports. At the end all counters must equal a recount.
 */
export async function benchTriage({ triage, rule }: Sizes): Promise<BenchTable> {
  const system = await startSystem();
  try {
    await fill(system, triage, 'triage');
    const admin = await asAdministrator(system);
    const rows = await triageRows(admin, triage);
    await fill(system, rule - triage, 'rule');
    rows.push(...(await ruleRows(admin, rule)));
    await assertExact(system);
    return benchTable('Triage: units per finding, seconds from the request to the end of its task', rows);
  } finally {
    await system.stop();
  }
}

async function fill(system: System, count: number, name: string): Promise<void> {
  const { id } = await startImport(system, benchReport(count, 0.3, name), { name });
  await finished(system, id);
  await settled(system, performance.now());
}

const path = '/api/v1/findings';
const all = { filter: { tool: 'bench-scan' } };

async function triageRows(system: System, count: number): Promise<BenchRow[]> {
  const change = (changes: object) => send(system, 'PATCH', path, { ...all, changes, reason: 'measured' });
  const acceptance = { status: 'risk_accepted', acceptedUntil: '2099-01-01T00:00:00.000Z' };
  let accepted = '';
  const tag = { operation: 'tag', count, begin: () => change({ addTags: ['measured'] }) };
  const accept = { operation: 'accept the risk', count, begin: () => change(acceptance) };
  const undo = { operation: 'undo that', count, begin: () => send(system, 'POST', `${path}/bulk/${accepted}/undo`) };
  const rows = [await work(system, tag)];
  rows.push(await work(system, accept, (taskId) => (accepted = taskId)));
  return [...rows, await work(system, undo)];
}

async function ruleRows(system: System, count: number): Promise<BenchRow[]> {
  const rule = { name: 'measured', conditions: { tool: 'bench-scan' }, status: 'false_positive', reason: 'measured' };
  let made = '';
  const begin = async () => {
    const answer = await send(system, 'POST', `${path}/rules`, rule);
    made = String(answer.id);
    return answer;
  };
  const end = async () => {
    await send(system, 'DELETE', `${path}/rules/${made}`);
    const { data } = await send(system, 'GET', '/api/v1/tasks?operation=apply_suppression_rule&limit=1');
    return { taskId: Object(data)[0].id };
  };
  const rows = [await work(system, { operation: 'apply a rule', count, begin })];
  return [...rows, await work(system, { operation: 'remove the rule', count, begin: end })];
}

type Change = { operation: string; count: number; begin: () => Promise<Record<string, unknown>> };

const BUDGET: Budget = { readUnits: 1.1, writeUnits: 8, megabytes: 512 };

/**
 * Measures a task from its request to its end. @param told receives the task's id @throws unless the task changed all
 * findings
 */
async function work(
  system: System,
  { operation, count, begin }: Change,
  told: (taskId: string) => void = () => undefined,
): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  const taskId = String((await begin()).taskId);
  told(taskId);
  await finished(system, taskId);
  const seconds = (performance.now() - started) / 1000;
  const { readUnits, writeUnits, commits, megabytes } = await system.measure();
  const { result } = await send(system, 'GET', `/api/v1/tasks/${taskId}`);
  const { changed, restored = changed } = Object(result);
  if (restored !== count) throw new Error(`${operation}: ${JSON.stringify(result)}`);
  const units = { readUnits: readUnits / count, writeUnits: writeUnits / count, commits: commits / count };
  return benchRow({ operation, size: String(count), roundTrips: 0, ...units, seconds, megabytes, budget: BUDGET });
}

async function assertExact({ settings, organizationId }: System): Promise<void> {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = settings;
  const dynamo = openDynamo(TABLE_NAME, {
    endpoint: DYNAMODB_ENDPOINT,
    region: localRegion,
    credentials: localCredentials,
  });
  const { differences, unsettled } = await verify(openTable(dynamo, organizationId), findings);
  if (differences.length + unsettled > 0) throw new Error(`${differences.length} rows differ from a recount`);
}
