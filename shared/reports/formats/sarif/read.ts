import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { findingEvent } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { isObject, plainAt } from '../../readers/json.ts';
import { type JsonPath, type JsonValue, parseValue, splitJson } from '../../readers/json-stream.ts';
import { Repetitions } from '../../readers/repetitions.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { draftsOf, isProblem, isUndecided } from './result.ts';
import { addToRun, newRun, type Run } from './run.ts';

/**
 * SARIF 2.1.0 (OASIS). Two passes, because results refer to rules, files and bases that producers also write after them
 * (Semgrep writes the tool last): the first collects those and proves that the document is whole, the second reads the
 * results. A report that breaks off therefore gives no finding at all.
 */
export async function* read(open: OpenReport, how: Reading): AsyncGenerator<ReportEvent> {
  const runs = await readRuns(open);
  const repetitions = new Map<string, Repetitions>();
  let announced = 0;
  for await (const value of splitJson(open(), walks)) {
    const [, runIndex, part, index] = value.path;
    if (typeof runIndex !== 'number') continue;
    for (; announced <= runIndex; announced += 1) yield* aboutRun(runs[announced], announced);
    const run = runs[runIndex];
    if (!run || part !== 'results' || typeof index !== 'number') continue;
    // a tool knows nothing of the problems of another
    const tool = run.tool.name.toLowerCase();
    const ofTool = repetitions.get(tool) ?? new Repetitions();
    repetitions.set(tool, ofTool);
    yield* readResult(run, value, { repetitions: ofTool, how });
  }
}

/** A run takes a tenth of this; the rest limits the number of runs, whose tools are compared with each other. */
const RUN_BYTES = 64 * 1024;

async function readRuns(open: OpenReport): Promise<Run[]> {
  const runs: Run[] = [];
  const budget = newContextBudget();
  const root: { version?: unknown; schema?: unknown; runs: boolean } = { runs: false };
  for await (const value of splitJson(open(), walks)) {
    const [key, index] = value.path;
    if (key === 'runs' && value.opens === 'array') root.runs = true;
    if (key === 'version' && !value.opens) root.version = parseValue(value);
    else if (key === '$schema' && !value.opens) root.schema = parseValue(value);
    else if (key === 'runs' && typeof index === 'number') {
      const run = runs[index] ?? newRun();
      if (!runs[index]) spend(budget, RUN_BYTES);
      runs[index] = run;
      addToRun(run, value, budget);
    } else if (!value.opens) parseValue(value);
  }
  assertSarif(root);
  return runs;
}

/** A schema's address, such as `https://json.schemastore.org/sarif-2.1.0.json`. */
function isNamedIn(schema: string): boolean {
  const at = schema.search(/sarif/i);
  return at >= 0 && schema.includes('2.1', at);
}

function assertSarif({ version, schema, runs }: { version?: unknown; schema?: unknown; runs: boolean }): void {
  const known = typeof version === 'string' ? version.startsWith('2.1') : isNamedIn(plainAt(schema) ?? '');
  if (runs && known) return;
  throw new ReportError(
    'unsupported_format',
    runs
      ? 'This SARIF is not of version 2.1.0: let the tool write SARIF 2.1.0 or convert it (sarif-multitool transform).'
      : 'The report is JSON but not SARIF 2.1.0, it has no list of runs: name the format it has, or send it as auto.',
  );
}

const ELSEWHERE = 'its results are in other files (externalPropertyFileReferences): let the tool write all into one';

function* aboutRun(run: Run | undefined, index: number): Generator<ReportEvent> {
  if (!run) return;
  yield { kind: 'tool', ...run.tool };
  for (const first of run.failures) yield { kind: 'incomplete', code: 'tool_error', first };
  if (run.hasResultsElsewhere) yield { kind: 'rejected', reason: ELSEWHERE, where: `runs[${index}]` };
  else if (!run.hasResults) yield { kind: 'incomplete', code: 'no_results' };
}

type Asked = { repetitions: Repetitions; how: Reading };

async function* readResult(run: Run, value: JsonValue, { repetitions, how }: Asked): AsyncGenerator<ReportEvent> {
  const result = parseValue(value);
  const where = `runs[${value.path[1]}].results[${value.path[3]}]`;
  if (!isObject(result)) {
    yield { kind: 'rejected', reason: 'the result is not an object', where };
    return;
  }
  if (isUndecided(result, how))
    yield { kind: 'incomplete', code: 'not_judged', count: 1, thing: 'result', first: where };
  if (!isProblem(result, how)) return;
  const drafts = draftsOf(run, result);
  if (!drafts) {
    yield { kind: 'rejected', reason: 'the result names neither a rule nor a message', where };
    return;
  }
  for (const draft of drafts)
    yield await findingEvent(draft.anyLine ? draft : { ...draft, identity: repetitions.number(draft) }, where);
}

/** Containers that are walked through; everything below them is parsed value by value. */
function walks(path: JsonPath): boolean {
  if (path.length === 0) return true;
  if (path[0] !== 'runs') return false;
  if (path.length <= 3) return true;
  if (path[2] !== 'tool') return false;
  if (path[3] === 'driver') return path.length === 4 || (path.length === 5 && path[4] === 'rules');
  if (path[3] !== 'extensions') return false;
  return path.length <= 5 || (path.length === 6 && path[5] === 'rules');
}
