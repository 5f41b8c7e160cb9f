import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { fieldAt, type JsonObject, textAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { objectOf } from '../../readers/xml-object.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { draftsOf } from './dependency.ts';

/** OWASP Dependency-Check's XML (schemas 1 to 4) and JSON, whose parts have nearly the same names. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'dependency-check' };
  const failures = new Set<string>();
  const dependencies = (await firstCharacter(open)) === '<' ? inXml(open, failures) : inJson(open, failures);
  yield* readEntries(dependencies, draftsOf, 'the dependency has no file name, or its vulnerability no name');
  for (const first of failures) yield { kind: 'incomplete', code: 'tool_error', first };
}

async function* inJson(open: OpenReport, failures: Set<string>): AsyncGenerator<Entry> {
  for await (const { value, where, parents } of nestedEntries(open, { entries: [['dependencies', '[]']] })) {
    addFailure(failures, fieldAt(parents[0], 'scanInfo'));
    yield { value: value?.fileName === undefined ? undefined : value, where };
  }
}

/** Wrappers of equal elements. Suppressed vulnerabilities are among the others. */
const LISTS = new Set(['relatedDependencies', 'references', 'cwes', 'vulnerableSoftware']);
const [SCAN, DEPENDENCY] = ['analysis/scanInfo', 'analysis/dependencies/dependency'];

async function* inXml(open: OpenReport, failures: Set<string>): AsyncGenerator<Entry> {
  let isReport = false;
  for await (const { value: element, where, path } of xmlEntries(open, [SCAN, DEPENDENCY])) {
    if (!element) continue;
    isReport = true;
    const object = objectOf(element, LISTS);
    if (path === SCAN) addFailure(failures, object);
    else yield { value: withLists(object), where };
  }
  if (!isReport) throw new ReportError('unsupported_format', 'The XML is not a report of OWASP Dependency-Check.');
}

/** In XML one element holds what JSON has as lists. */
function withLists(dependency: JsonObject): JsonObject {
  const listed = (...path: string[]) => [fieldAt(dependency, ...path) ?? []].flat();
  return {
    ...dependency,
    packages: [...listed('identifiers', 'package'), ...listed('identifiers', 'identifier')],
    vulnerabilities: listed('vulnerabilities', 'vulnerability'),
  };
}

/** A failed analyzer, for example with an unreachable database, may have missed findings. */
function addFailure(failures: Set<string>, scanInfo: unknown): void {
  for (const failure of [fieldAt(scanInfo, 'analysisExceptions') ?? []].flat()) {
    const first = [fieldAt(failure, 'exception') ?? failure].flat()[0];
    failures.add(`an analyzer failed: ${textAt(first, 'message') ?? 'the report says which'}`);
  }
}
