import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { fieldAt, numberAt, textAt, textsAt } from '#shared/reports/readers/json.ts';
import type { RepositoryFacts } from '../../repositories/repository.ts';
import type { AnnouncedFacts, AnnouncedRepository } from '../code-host.ts';

/**
 * A repository in an event or an answer of GitHub: https://docs.github.com/rest/repos/repos#get-a-repository; a push writes some
 * fields in other forms.
 */
export function githubRepository(value: unknown): AnnouncedRepository | undefined {
  const [externalId, url, fullName] = [numberAt(value, 'id'), textAt(value, 'html_url'), textAt(value, 'full_name')];
  if (externalId === undefined || !url || !fullName) return undefined;
  const pushedAt = timeOf(fieldAt(value, 'pushed_at')) ?? null;
  const facts: AnnouncedFacts = {
    fullName,
    url,
    pushedAt,
    visibility: visibilityOf(value),
    archived: fieldAt(value, 'archived') === true,
    name: textAt(value, 'name') ?? fullName,
    description: shortened(textAt(value, 'description') ?? '', 2000) || null,
    defaultBranch: textAt(value, 'default_branch') ?? null,
    language: textAt(value, 'language') ?? null,
    topics: textsAt(value, 'topics').slice(0, 100),
  };
  return { externalId: String(externalId), at: timeOf(fieldAt(value, 'updated_at')) ?? '', facts };
}

function visibilityOf(value: unknown): RepositoryFacts['visibility'] {
  const named = textAt(value, 'visibility');
  if (named === 'public' || named === 'internal' || named === 'private') return named;
  return fieldAt(value, 'private') === false ? 'public' : 'private';
}
