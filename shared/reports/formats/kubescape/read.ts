import { newContextBudget, spend } from '../../context-budget.ts';
import { readEntries } from '../../entries.ts';
import type { FindingDraft } from '../../finding.ts';
import { fieldAt, isObject, type JsonObject, listAt, numberAt, textAt } from '../../json.ts';
import { type NestedEntry, nestedEntries } from '../../nested-entries.ts';
import type { OpenReport, ReportEvent, Severity } from '../../report.ts';
import { cleanPath } from '../../text.ts';

/**
 * Kubescape's JSON: what each resource fails. The resources stand in a list of their own, with the files that declare them
 * where a repository was scanned.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'kubescape' };
  const files = await filesOf(open);
  const results = nestedEntries(open, { entries: [['results', '[]']], ignored: [['resources', '[]']], isReport });
  const draftsOf = (result: JsonObject, { parents: [root] }: NestedEntry) => draftsOfResult(result, { root, files });
  yield* readEntries(results, draftsOf, 'the result names no resource');
}

/** A scan that matched no resource writes no results. */
const isReport = (root: JsonObject): boolean => isObject(root.summaryDetails) && !('results' in root && root.results);

type Files = ReadonlyMap<string, string>;

async function filesOf(open: OpenReport): Promise<Files> {
  const files = new Map<string, string>();
  const budget = newContextBudget();
  const resources = nestedEntries(open, {
    entries: [['resources', '[]']],
    ignored: [['results', '[]']],
    isReport: () => true,
  });
  for await (const { value } of resources) {
    const [id, path] = [textAt(value, 'resourceID'), textAt(value, 'source', 'relativePath')];
    if (!id || !path) continue;
    spend(budget, 2 * (id.length + path.length) + 100);
    files.set(id, cleanPath(path));
  }
  return files;
}

type Context = { root: JsonObject | undefined; files: Files };

function draftsOfResult(result: JsonObject, context: Context): Iterable<FindingDraft> | undefined {
  const resource = textAt(result, 'resourceID');
  if (!resource) return undefined;
  const failed = listAt(result, 'controls')
    .values()
    .filter((control) => statusOf(control) === 'failed');
  return failed.flatMap((control) => draftOf(control, resource, context));
}

const statusOf = (control: unknown): string | undefined =>
  textAt(control, 'status', 'status') ?? textAt(control, 'statusInfo', 'status') ?? textAt(control, 'status');

function draftOf(control: unknown, resource: string, { root, files }: Context): FindingDraft[] {
  const ruleId = textAt(control, 'controlID');
  if (!ruleId) return [];
  const name = resourceName(resource);
  const summary = fieldAt(root, 'summaryDetails', 'controls', ruleId);
  const factor = numberAt(summary, 'scoreFactor');
  const path = files.get(resource);
  const draft: FindingDraft = {
    title: `${textAt(control, 'name') ?? textAt(summary, 'name') ?? ruleId}: ${name}`,
    severity: severityOf(factor),
    toolSeverity: factor === undefined ? undefined : String(factor),
    ruleId,
    asset: null,
    location: { path: path ?? name },
    evidence: [{ kind: 'text', content: pathsOf(control) }],
    references: [`https://hub.armosec.io/docs/${ruleId.toLowerCase()}`],
    remediation: textAt(summary, 'remediation'),
    tags: [textAt(summary, 'category', 'name') ?? '', textAt(root, 'clusterName') ?? ''],
    identity: [ruleId, name, path ?? ''],
  };
  return [draft];
}

/** `path=966824446/api=apps/v1//Deployment/shop` begins with a digest of the directory on the machine that scanned. */
const resourceName = (id: string): string => id.replace(/^path=\d{1,20}\//, '').replace(/^api=/, '');

/** The thresholds by which Kubescape names its score factors, of 1 to 10. */
function severityOf(factor: number | undefined): Severity {
  if (factor === undefined) return 'medium';
  if (factor >= 9) return 'critical';
  if (factor >= 7) return 'high';
  if (factor >= 4) return 'medium';
  return factor >= 1 ? 'low' : 'info';
}

const MAX_PATHS = 50;

/** Where in the resource the problem lies, and what to put there. */
function pathsOf(control: unknown): string {
  const paths = listAt(control, 'rules').flatMap((rule) => listAt(rule, 'paths'));
  const lines = paths.flatMap((path) => {
    const fix = fieldAt(path, 'fixPath');
    const failed = textAt(path, 'failedPath') ?? textAt(path, 'reviewPath') ?? textAt(path, 'deletePath');
    const fixed = textAt(fix, 'path');
    if (fixed) return [`${fixed} = ${textAt(fix, 'value') ?? ''}`];
    return failed ? [failed] : [];
  });
  return lines.slice(0, MAX_PATHS).join('\n');
}
