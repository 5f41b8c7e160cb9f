import { inflateRawSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Connections } from '#shared/runtime/connections.ts';
import { unzipped } from '#shared/runtime/gzip.ts';
import { contentIn } from '#shared/table/layout/content.ts';

type Row = Record<string, unknown>;

/** The table as text, deflated values too; only for the small table of a system of one's own. */
export async function tableText({ dynamo: { client, tableName } }: Connections): Promise<string> {
  const texts: string[] = [];
  let from: Row | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: tableName, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    texts.push(...(page.Items ?? []).map((row) => JSON.stringify(row, readable)));
    from = page.LastEvaluatedKey;
  } while (from);
  return texts.join('\n');
}

const readable = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Set) return [...value];
  return value instanceof Uint8Array ? textOf(value) : value;
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

/** The objects of the bucket as text, by their keys. */
export async function bucketTexts({ bucket }: Connections): Promise<Map<string, string>> {
  const s3 = await bucket.client();
  const listed = await s3.send(new ListObjectsV2Command({ Bucket: bucket.name }));
  const texts = new Map<string, string>();
  for (const { Key = '' } of listed.Contents ?? []) {
    const object = await s3.send(new GetObjectCommand({ Bucket: bucket.name, Key }));
    const bytes = (await object.Body?.transformToByteArray()) ?? new Uint8Array();
    texts.set(Key, await unzipped(bytes).then(String, () => textOf(bytes)));
  }
  return texts;
}
