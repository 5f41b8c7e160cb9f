import type { Bucket } from './bucket.ts';

/** Reads JSON that this service itself wrote; only the writer guarantees the type. */
export async function readJson<T>(bucket: Bucket, key: string): Promise<T | undefined> {
  const bytes = await bucket.get(key);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
}

/** Reads such JSON, one value a line. */
export const readLines = <T>(text: string): T[] => text.split('\n').map((line) => JSON.parse(line) as T);
