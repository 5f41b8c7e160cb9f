import type { RepositoryFacts } from '../../entities/repository.ts';
import { timeOf } from '../../outgoing/told-time.ts';
import { fieldAt, numberAt, textAt, textsAt } from '../../reports/json.ts';
import { shortened } from '../../runtime/texts.ts';
import type { Told, ToldFacts } from '../code-host.ts';

/**
 * A repository in an event or an answer of GitHub: https://docs.github.com/rest/repos/repos#get-a-repository; a push writes some
 * fields in other forms.
 */
export function githubRepository(value: unknown): Told | undefined {
  const [externalId, url, fullName] = [numberAt(value, 'id'), textAt(value, 'html_url'), textAt(value, 'full_name')];
  if (externalId === undefined || !url || !fullName) return undefined;
  const pushedAt = timeOf(fieldAt(value, 'pushed_at')) ?? null;
  const facts: ToldFacts = {
    ...{ fullName, url, pushedAt, visibility: visibilityOf(value), archived: fieldAt(value, 'archived') === true },
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
