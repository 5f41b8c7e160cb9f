import { inflateRawSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { unzipped } from '#shared/platform/runtime/gzip.ts';
import { contentIn } from '#shared/platform/table/layout/content.ts';

type Row = Record<string, unknown>;

/** The table as text, deflated values too; only for the small table of a system of one's own. */
export const tableText = async (connections: Connections): Promise<string> => (await rowTexts(connections)).join('\n');

/** The rows of the table as texts, each with its attributes in order. */
export async function rowTexts({ dynamo: { client, tableName } }: Pick<Connections, 'dynamo'>): Promise<string[]> {
  const texts: string[] = [];
  let from: Row | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: tableName, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    texts.push(...(page.Items ?? []).map((row) => JSON.stringify(row, readable)));
    from = page.LastEvaluatedKey;
  } while (from);
  return texts;
}

const readable = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Set) return [...value].toSorted();
  if (value instanceof Uint8Array) return textOf(value);
  // an engine gives the attributes of a row in any order
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(Object(value)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** Values are deflated with the dictionary of records, without one, or not at all. */
function textOf(bytes: Uint8Array): string {
  for (const read of [() => JSON.stringify(contentIn(bytes)), () => inflateRawSync(bytes).toString()]) {
    try {
      return read();
    } catch {}
  }
  return Buffer.from(bytes).toString('latin1');
}

/** The objects of the bucket as text, by their keys; one that a worker removes meanwhile is left out. */
export async function bucketTexts({ bucket }: Connections): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (let keys = await keysPage(bucket, {}); keys.length > 0; keys = await keysPage(bucket, { after: keys.at(-1) }))
    for (const key of keys) {
      const bytes = await bucket.get(key);
      if (bytes) texts.set(key, await unzipped(bytes).then(String, () => textOf(bytes)));
    }
  return texts;
}
