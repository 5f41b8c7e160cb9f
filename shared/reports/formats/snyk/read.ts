import { firstCharacter, readEntries } from '../../entries.ts';
import type { FindingDraft } from '../../finding.ts';
import type { JsonObject } from '../../json.ts';
import { type NestedEntry, nestedEntries } from '../../nested-entries.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { configurationDraft, vulnerabilityDraft } from './issue.ts';

/**
 * Snyk's projects: one, or a list (--all-projects); a container has those of its applications inside. Ignored issues stand in
 * `filtered`. A project that could not be tested has an error and no vulnerabilities, and is rejected.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Snyk' };
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

function draftOf(issue: JsonObject, { path, parents }: NestedEntry): FindingDraft | [] | undefined {
  const projects = parents.filter((parent) => parent.projectName !== undefined || parent.vulnerabilities !== undefined);
  const [outer, inner] = [projects[0], projects.at(-1)];
  return path.includes('infrastructureAsCodeIssues')
    ? configurationDraft(issue, inner)
    : vulnerabilityDraft(issue, { outer, inner });
}
