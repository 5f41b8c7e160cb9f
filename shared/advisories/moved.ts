import type { Bucket } from '../runtime/bucket.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Selection } from '../table/list.ts';

/** Of more advisories than this, reading every record costs less than asking for those of each. */
const MOST_ASKED = 5000;
const ASKED_AT_ONCE = 100;

/** Selects the records of the advisories that an object of the bucket lists as moved, by the value `name` of the index. */
export async function movedSelections(bucket: Bucket, file: string, name: 'cve' | 'advisory'): Promise<Selection[]> {
  const bytes = await bucket.get(file);
  if (!bytes) throw new Error(`the list ${file} of vulnerabilities that moved is gone`);
  const moved: string[] = JSON.parse(Buffer.from(bytes).toString());
  if (moved.length > MOST_ASKED) return [{}];
  return chunksOf(moved, ASKED_AT_ONCE).map((some) => ({ where: { [name]: some } }));
}

/** The ordinals of all that `ordinalsOf` finds for one of the selections, newest first. */
export async function ordinalsOfAll(
  selections: readonly Selection[],
  ordinalsOf: (selection: Selection) => Promise<readonly number[]>,
): Promise<number[]> {
  const found = new Set<number>();
  for (const selection of selections) for (const ordinal of await ordinalsOf(selection)) found.add(ordinal);
  return [...found].sort((a, b) => b - a);
}
