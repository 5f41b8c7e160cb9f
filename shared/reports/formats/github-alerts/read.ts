import { readEntries } from '../../readers/entries.ts';
import { readHead } from '../../readers/head.ts';
import { fieldAt, type JsonObject } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { hasShape } from '../../readers/shape.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf } from './alert.ts';
import { CODE_SCANNING, SECRET_SCANNING } from './shapes.ts';

const LISTS = [
  ['vulnerabilityAlerts', 'nodes', '[]'],
  ['vulnerabilityAlerts', 'edges', '[]', 'node'],
];

/**
 * The places of repositories in a GraphQL answer: one, several by their aliases, a search's, an organization's or a
 * user's.
 */
const REPOSITORIES = [
  ['data', '*'],
  ['data', '*', 'nodes', '[]'],
  ['data', '*', 'edges', '[]', 'node'],
  ['data', '*', 'repositories', 'nodes', '[]'],
  ['data', '*', 'repositories', 'edges', '[]', 'node'],
];

/** GitHub's answers of either interface, on dependencies, code or secrets. Both may be pages in an array (`gh api --paginate --slurp`). */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const head = await readHead(open());
  yield { kind: 'tool', name: toolOf(head) };
  const gaps: Gaps = new Set();
  const entries = nestedEntries(open, { entries: placesOf(head) });
  yield* readEntries(watched(entries, gaps), (alert, { parents }) => draftOf(alert, parents), UNUSABLE);
  for (const code of gaps) yield { kind: 'incomplete', code };
}

function toolOf(head: string): string {
  if (hasShape(head, ...CODE_SCANNING)) return 'GitHub code scanning';
  return hasShape(head, ...SECRET_SCANNING) ? 'GitHub secret scanning' : 'Dependabot';
}

const UNUSABLE = 'the alert names no advisory or no package';

function placesOf(head: string): string[][] {
  if (head.startsWith('[') && !hasShape(head, '[].data')) return [hasShape(head, '[].[]') ? ['[]', '[]'] : ['[]']];
  const page = head.startsWith('[') ? ['[]'] : [];
  return REPOSITORIES.flatMap((repository) => LISTS.map((list) => [...page, ...repository, ...list]));
}

type Gaps = Set<'more_pages' | 'tool_error'>;

/** The alerts of the next page are missing, unless it is among the pages. */
async function* watched(entries: AsyncIterable<NestedEntry>, gaps: Gaps): AsyncGenerator<NestedEntry> {
  for await (const entry of entries) {
    const isPage = typeof entry.path[0] === 'number';
    for (const parent of isPage ? [] : entry.parents)
      if (fieldAt(parent, 'pageInfo', 'hasNextPage') === true) gaps.add('more_pages');
    if (hasErrors(entry.parents[0])) gaps.add('tool_error');
    yield entry;
  }
}

const hasErrors = (root: JsonObject | undefined): boolean => Array.isArray(root?.errors) && root.errors.length > 0;
