import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt } from '../../readers/json.ts';
import type { BenchmarkCheck } from '../../report/report.ts';
import { checkOfKubescape } from './benchmark.ts';
import { severityOf } from './severity.ts';

/** The facts beside the results: the document's root, and the file of each resource. */
type Context = { root: JsonObject | undefined; files: ReadonlyMap<string, string> };

export function draftsOfResult(result: JsonObject, context: Context): Iterable<FindingDraft> | undefined {
  const resource = textAt(result, 'resourceID');
  if (!resource) return undefined;
  const failed = listAt(result, 'controls')
    .values()
    .filter((control) => statusOf(control) === 'failed');
  return failed.map((control) => draftOf(control, resource, context));
}

/**
 * The checks that the resource itself passed: a control may also pass by an exception, or without anything to check.
 */
export const passedIn = (result: JsonObject): BenchmarkCheck[] =>
  listAt(result, 'controls')
    .filter((control) => statusOf(control) === 'passed' && ![control, ...listAt(control, 'rules')].some(isQualified))
    .flatMap((control) => checkOfKubescape(textAt(control, 'controlID')) ?? []);

/** Some versions give only the rules of a control a status. */
export const statusOf = (control: unknown): string | undefined =>
  ownStatus(control) ?? statusOfRules(listAt(control, 'rules'));

const ownStatus = (part: unknown): string | undefined =>
  textAt(part, 'status', 'status') ?? textAt(part, 'statusInfo', 'status') ?? textAt(part, 'status');

function statusOfRules(rules: readonly unknown[]): string | undefined {
  const statuses = rules.map((rule) => (listAt(rule, 'exception').length > 0 ? 'passed' : ownStatus(rule)));
  if (statuses.includes('failed')) return 'failed';
  if (statuses.length === 0 || statuses.includes(undefined)) return undefined;
  return statuses.find((status) => status !== 'passed') ?? 'passed';
}

const isQualified = (part: unknown): boolean =>
  textAt(part, 'status', 'subStatus') !== undefined ||
  textAt(part, 'subStatus') !== undefined ||
  listAt(part, 'exception').length > 0;

function draftOf(control: unknown, resource: string, { root, files }: Context): FindingDraft {
  const ruleId = ruleOf(control);
  const name = resourceName(resource);
  const summary = fieldAt(root, 'summaryDetails', 'controls', ruleId);
  const factor = numberAt(summary, 'scoreFactor');
  const path = files.get(resource);
  return {
    title: `${textAt(control, 'name') ?? textAt(summary, 'name') ?? ruleId}: ${name}`,
    severity: severityOf(factor),
    toolSeverity: factor === undefined ? undefined : String(factor),
    ruleId,
    check: checkOfKubescape(ruleId),
    asset: null,
    location: { path: path ?? name },
    evidence: [{ kind: 'text', content: pathsOf(control) }],
    references: [`https://hub.armosec.io/docs/${ruleId.toLowerCase()}`],
    remediation: textAt(summary, 'remediation'),
    tags: [textAt(summary, 'category', 'name') ?? '', textAt(root, 'clusterName') ?? ''],
    place: resource,
    identity: [ruleId, name, path ?? ''],
  };
}

export const ruleOf = (control: unknown): string =>
  textAt(control, 'controlID') ?? textAt(control, 'name') ?? 'unnamed';

/** `path=966824446/api=apps/v1//Deployment/shop` begins with a digest of the directory on the machine that scanned. */
const resourceName = (id: string): string => id.replace(/^path=\d{1,20}\//, '').replace(/^api=/, '');

const MAX_PATHS = 50;

/** The place of the problem in the resource, and the value that repairs it. */
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
