import type { Bucket } from '#shared/runtime/bucket.ts';

/** What this service itself wrote as JSON; its writer is the type's only guarantee. */
export async function readJson<T>(bucket: Bucket, key: string): Promise<T | undefined> {
  const bytes = await bucket.get(key);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
}

/** The same, a value a line. */
export const readLines = <T>(text: string): T[] => text.split('\n').map((line) => JSON.parse(line) as T);
