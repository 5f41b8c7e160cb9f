import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { firstCharacter, readEntries } from '../../readers/entries.ts';
import { isObject, type JsonObject, textAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { cleanPath } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftsOfControl } from './framework.ts';
import { draftsOfResult, passedIn } from './result.ts';

/**
 * Kubescape's JSON: the failures of each resource. The resources are in a list of their own, with the files that
 * declare them after a scan of a repository. Its version 1 of this format is a list of frameworks with their controls,
 * which does not show whether a control without failures had anything to check.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'kubescape' };
  if ((await firstCharacter(open)) === '[') {
    const controls = nestedEntries(open, { entries: [['[]', 'controlReports', '[]']] });
    yield* readEntries(controls, draftsOfControl, 'the control has no id');
    return;
  }
  const files = await filesOf(open);
  const results = nestedEntries(open, { entries: [['results', '[]']], ignored: [['resources', '[]']], isReport });
  const passed = new PassedChecks();
  const draftsOf = (result: JsonObject, { parents: [root] }: NestedEntry) => {
    for (const check of passedIn(result)) passed.add(check, null);
    return draftsOfResult(result, { root, files });
  };
  yield* readEntries(results, draftsOf, 'the result names no resource');
  yield* passed.events();
}

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
    files.set(id, cleanPath(path));
  }
  return files;
}
