import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { blockText, parseBlock } from '../runtime/addresses.ts';
import { nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError } from '../runtime/errors.ts';
import { retried } from '../table/io/retried.ts';
import { defineRow, rowKey, ttlOf } from '../table/io/row.ts';
import { typed } from '../table/io/typed.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';

/** The most requests of one source, such as an address block, in each window of so many seconds. */
export type Window = { name: string; source: string; most: number; seconds: number };

/** `source`: a hash, so that the table keeps no addresses of callers. */
type Counter = { name: string; source: string; from: number; n: number; endsAt: string };

export const windows = defineRow<Counter, Pick<Counter, 'name' | 'source' | 'from'>>({
  name: 'window',
  about: 'the requests of one source to a public operation in one window of time; global key scope',
  key: ({ name, source, from }) => [`${name}#${source}`, String(from)],
  expiresAt: ({ endsAt }) => endsAt,
});

/**
 * Counts a request, by one conditional write: so many as `most` pass in each window, however many come at once.
 * @returns the requests of the source in the present window, with this request
 * @throws rate_limited
 */
export async function countIn(dynamo: Dynamo, { name, source, most, seconds }: Window): Promise<number> {
  const from = Math.floor(nowMs() / 1000 / seconds) * seconds;
  const end = from + seconds;
  const hash = createHash('sha256').update(source).digest('base64url');
  const update = new UpdateItemCommand({
    TableName: dynamo.tableName,
    Key: typed(rowKey(GLOBAL_SCOPE, windows, { name, source: hash, from })),
    UpdateExpression: 'ADD n :one SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(pk) OR n < :most',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: typed({ ':one': 1, ':most': most, ':ttl': ttlOf(new Date(end * 1000).toISOString()) }),
    ReturnValues: 'UPDATED_NEW',
  });
  try {
    const { Attributes } = await retried(() => dynamo.client.send(update));
    return Number(Attributes?.n?.N);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw tooMany(Math.max(1, Math.ceil(end - nowMs() / 1000)));
  }
}

const tooMany = (retryAfter: number): ApiError =>
  new ApiError('rate_limited', `There are too many requests. Send the request again in ${retryAfter} seconds.`, {
    retryAfter,
  });

/** One customer has many addresses: providers give a site a /56 of IPv6 (RIPE-690), and companies share a /24 of IPv4. */
const PREFIX = { 4: 24, 6: 56 } as const;

/** The block of an address. Addresses that cannot be read are one block. */
export function blockOf(address: string): string {
  const host = parseBlock(address);
  const block = host && parseBlock(`${blockText(host)}/${PREFIX[host.version]}`);
  return block ? blockText(block) : 'unknown';
}
