import { inCategories, toolIn } from '../../readers/categories.ts';
import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { firstCharacter, readEntries } from '../../readers/entries.ts';
import { isObject, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftsOfControl } from './framework.ts';
import { gapsIn, type Judged, noteJudged, noteSummary } from './judged.ts';
import { draftsOfResult, passedIn } from './result.ts';

const KUBESCAPE = 'kubescape';

/**
 * Kubescape's JSON: the failures of each resource. The resources are in a list of their own, with the files that
 * declare them after a scan of a repository. Its version 1 of this format is a list of frameworks with their controls,
 * which does not show whether a control without failures had anything to check.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: KUBESCAPE };
  const frameworks = new Set<string>();
  const judged: Judged = { controls: new Set(), skipped: new Set(), unknown: 0, count: 0 };
  const onAround = (objects: Iterable<JsonObject>) => {
    for (const object of objects) {
      for (const one of frameworksOf(object)) frameworks.add(one);
      noteSummary(judged, object);
    }
  };
  const looked = () => [...frameworks].toSorted().join('+') || undefined;
  if ((await firstCharacter(open)) === '[') {
    const controls = nestedEntries(open, { entries: [['[]', 'controlReports', '[]']], onAround });
    yield* inCategories(KUBESCAPE, readEntries(controls, draftsOfControl, 'the control has no id'), looked);
    yield toolIn(KUBESCAPE, looked());
    return;
  }
  const files = await filesOf(open);
  const ignored = [['resources', '[]']];
  const results = nestedEntries(open, { entries: [['results', '[]']], ignored, isReport, onAround });
  const passed = new PassedChecks();
  const draftsOf = (result: JsonObject, { parents: [root] }: NestedEntry) => {
    noteJudged(judged, result);
    for (const check of passedIn(result)) passed.add(check, null);
    return draftsOfResult(result, { root, files });
  };
  yield* inCategories(KUBESCAPE, readEntries(results, draftsOf, 'the result names no resource'), looked);
  yield toolIn(KUBESCAPE, looked());
  yield* gapsIn(judged);
  yield* passed.events();
}

/** The frameworks whose controls the report has: of version 1, an object is a framework itself. */
const frameworksOf = (object: JsonObject): string[] =>
  'summaryDetails' in object
    ? listAt(object.summaryDetails, 'frameworks').flatMap((one) => textsAt(one, 'name'))
    : 'controlReports' in object
      ? textsAt(object, 'name')
      : [];

/** A scan that matched no resource writes no results. */
const isReport = (root: JsonObject): boolean => isObject(root.summaryDetails) && !('results' in root && root.results);

async function filesOf(open: OpenReport): Promise<ReadonlyMap<string, string>> {
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
    files.set(id, pathInTree(path));
  }
  return files;
}
