import { inCategories, toolIn } from '../../readers/categories.ts';
import { firstCharacter, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { parseValue, splitJson } from '../../readers/json-stream.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';
import { configurationDraft, IMAGE, imageOf, vulnerabilityDraft } from './issue.ts';

/**
 * Snyk's projects: one, or a list (--all-projects); a container includes its applications. Ignored issues are in
 * `filtered`. An untested project has an error and no vulnerabilities, and is rejected.
 */
export async function* read(open: OpenReport, how: Reading): AsyncGenerator<ReportEvent> {
  const product = await productOf(open);
  yield { kind: 'tool', name: product };
  const [kinds, images] = [new Set<string>(), new Map<string, ReportAsset>()];
  const project = (await firstCharacter(open)) === '[' ? ['[]'] : [];
  const entries = nestedEntries(open, {
    entries: [
      [...project, 'vulnerabilities', '[]'],
      [...project, 'applications', '[]', 'vulnerabilities', '[]'],
      [...project, 'infrastructureAsCodeIssues', '[]'],
    ],
    ignored: [
      [...project, 'remediation', '*', '*'],
      [...project, 'filtered', '*', '*'],
      [...project, 'applications', '[]', 'remediation', '*', '*'],
    ],
    required: [[...project, 'vulnerabilities']],
    onAround: (objects) => {
      for (const object of objects) {
        for (const kind of kindsOf(object)) kinds.add(kind);
        const image = imageOf(object);
        if (image) images.set(image.value, image);
      }
    },
  });
  let kind: string | undefined;
  const draft = (issue: JsonObject, entry: NestedEntry) => {
    [kind] = entry.parents.flatMap(kindsOf).slice(-1);
    return draftOf(issue, entry, how);
  };
  yield* inCategories(product, readEntries(entries, draft, 'the issue has no id, or names no package'), () => kind);
  for (const one of kinds) yield toolIn(product, one);
  for (const target of images.values()) yield { kind: 'covered', target, aliases: [], outcome: 'reached' };
}

/** The type of a project, such as `npm`. */
const kindsOf = (project: JsonObject): string[] => textsAt(project, 'packageManager');

/** The product that wrote the report, by its name in SARIF: the products look for different things. */
async function productOf(open: OpenReport): Promise<string> {
  for await (const value of splitJson(open(), (path) => path.length < 4)) {
    const member = value.path.find((key) => typeof key === 'string');
    if (member === 'infrastructureAsCodeIssues') return 'Snyk IaC';
    if (member === 'projectName' && textAt(parseValue(value))?.startsWith(IMAGE)) return 'Snyk Container';
  }
  return 'Snyk Open Source';
}

function draftOf(issue: JsonObject, { path, parents }: NestedEntry, how: Reading): FindingDraft | [] | undefined {
  const projects = parents.filter((parent) => parent.projectName !== undefined || parent.vulnerabilities !== undefined);
  const [outer, inner] = [projects[0], projects.at(-1)];
  return path.includes('infrastructureAsCodeIssues')
    ? configurationDraft(issue, inner, how)
    : vulnerabilityDraft(issue, { outer, inner });
}
