import { invalid } from '#shared/platform/runtime/errors.ts';

const MAX_TAGS = 30;

type TagChanges = { addTags?: readonly string[] | null | undefined; removeTags?: readonly string[] | null | undefined };

/** The tags of a finding after some were added and others removed. @throws validation_failed for too many */
export function tagsAfter({ tags }: { tags: readonly string[] }, { addTags, removeTags }: TagChanges): string[] {
  const after = [...new Set([...tags, ...(addTags ?? [])])].filter((tag) => !removeTags?.includes(tag));
  if (after.length > MAX_TAGS) throw invalid('addTags', `would give the finding more than ${MAX_TAGS} tags`);
  return after;
}
