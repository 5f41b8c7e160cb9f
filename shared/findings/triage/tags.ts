import { invalid } from '#shared/platform/runtime/errors.ts';
import { caseless, distinct } from '#shared/platform/runtime/texts.ts';

const MAX_TAGS = 30;

type TagChanges = { addTags?: readonly string[] | null | undefined; removeTags?: readonly string[] | null | undefined };

/** The tags of a finding after some were added and others removed. @throws validation_failed for too many */
export function tagsAfter({ tags }: { tags: readonly string[] }, { addTags, removeTags }: TagChanges): string[] {
  const removed = new Set(removeTags?.map(caseless));
  const after = distinct([...tags, ...(addTags ?? [])]).filter((tag) => !removed.has(caseless(tag)));
  if (after.length > MAX_TAGS) throw invalid('addTags', `would give the finding more than ${MAX_TAGS} tags`);
  return after;
}
