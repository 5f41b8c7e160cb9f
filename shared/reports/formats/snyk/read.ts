import { firstCharacter, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import type { JsonObject } from '../../readers/json.ts';
import { parseValue, splitJson } from '../../readers/json-stream.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { configurationDraft, IMAGE, vulnerabilityDraft } from './issue.ts';

/**
 * Snyk's projects: one, or a list (--all-projects); a container includes its applications. Ignored issues are in
 * `filtered`. An untested project has an error and no vulnerabilities, and is rejected.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: await productOf(open) };
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
  });
  yield* readEntries(entries, draftOf, 'the issue has no id, or names no package');
}

/** The product that wrote the report, by its name in SARIF: the products look for different things. */
async function productOf(open: OpenReport): Promise<string> {
  for await (const value of splitJson(open(), (path) => path.length < 4)) {
    const member = value.path.find((key) => typeof key === 'string');
    if (member === 'infrastructureAsCodeIssues') return 'Snyk IaC';
    if (member === 'projectName' && String(parseValue(value)).startsWith(IMAGE)) return 'Snyk Container';
  }
  return 'Snyk Open Source';
}

function draftOf(issue: JsonObject, { path, parents }: NestedEntry): FindingDraft | [] | undefined {
  const projects = parents.filter((parent) => parent.projectName !== undefined || parent.vulnerabilities !== undefined);
  const [outer, inner] = [projects[0], projects.at(-1)];
  return path.includes('infrastructureAsCodeIssues')
    ? configurationDraft(issue, inner)
    : vulnerabilityDraft(issue, { outer, inner });
}
