import { createHash, randomInt } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { blockText, parseBlock } from '../runtime/addresses.ts';
import { inSeconds, nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError, type ErrorCode } from '../runtime/errors.ts';
import { retried } from '../table/io/retried.ts';
import { defineRow, rowKey, ttlOf } from '../table/io/row.ts';
import { typed } from '../table/io/typed.ts';
import { GLOBAL_SCOPE, type Key } from '../table/layout/keys.ts';

/** The most requests of one source, such as an address block, in any stretch of so many seconds. */
export type Window = {
  name: string;
  source: string;
  most: number;
  seconds: number;
  /** The error of a request that does not pass; `rate_limited`, which only public intake answers, unless it is given. */
  refusal?: ErrorCode;
};

/**
 * `source`: a hash, so that the table keeps no addresses of callers. The other attributes, `0` to `most` - 1, are places: each has
 * the time, in milliseconds, at which a request took it.
 */
type Places = { name: string; source: string; endsAt: string };

export const windows = defineRow<Places, Pick<Places, 'name' | 'source'>>({
  name: 'window',
  about: 'the times of the requests of one source to a public operation, until they no longer count; global key scope',
  key: ({ name, source }) => [`${name}#${source}`],
  expiresAt: ({ endsAt }) => endsAt,
});

/**
 * Lets so many requests as `most` pass in any stretch of `seconds`, however many come at once: a request takes one of `most` places,
 * by one conditional write, and a place that was taken is free again after `seconds`.
 * @returns the requests of the source that count now, with this request
 * @throws the refusal of the window
 */
export async function countIn(dynamo: Dynamo, window: Window): Promise<number> {
  const source = createHash('sha256').update(window.source).digest('base64url');
  const key = rowKey(GLOBAL_SCOPE, windows, { ...window, source });
  let row: Taken = {};
  for (;;) {
    const at = nowMs();
    const taken = Array.from({ length: window.most }, (_, place) => row[place] ?? 0);
    const since = at - window.seconds * 1000;
    const free = [...taken.keys()].filter((place) => (taken[place] ?? 0) <= since);
    if (free.length === 0) throw tooMany(window, Math.min(...taken) - since);
    // any of the free places: requests that come at once seldom choose the same
    const place = free[randomInt(free.length)] ?? 0;
    const answer = await take(dynamo, { key, place, at, since, endsAt: inSeconds(window.seconds) });
    if (answer.isTaken) return Object.values(answer.row).filter((time) => time > since).length;
    row = answer.row;
  }
}

type Taken = Record<string, number>;
type Taking = { key: Key; place: number; at: number; since: number; endsAt: string };

/** Takes a place, unless a request has it. The first request of a source writes without reading. */
async function take(
  dynamo: Dynamo,
  { key, place, at, since, endsAt }: Taking,
): Promise<{ isTaken: boolean; row: Taken }> {
  const update = new UpdateItemCommand({
    TableName: dynamo.tableName,
    Key: typed(key),
    UpdateExpression: 'SET #place = :at, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(#place) OR #place <= :since',
    ExpressionAttributeNames: { '#place': String(place), '#ttl': 'ttl' },
    ExpressionAttributeValues: typed({ ':at': at, ':since': since, ':ttl': ttlOf(endsAt) }),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await retried(() => dynamo.client.send(update));
    return { isTaken: true, row: timesIn(Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isTaken: false, row: timesIn(error.Item) };
  }
}

const timesIn = (item: Record<string, AttributeValue> = {}): Taken =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) => (N !== undefined && name !== 'ttl' ? [[name, Number(N)]] : [])),
  );

function tooMany({ refusal = 'rate_limited' }: Window, waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  const more = refusal === 'rate_limited' ? { retryAfter: seconds } : {};
  return new ApiError(refusal, `There are too many requests. Send the request again in ${seconds} seconds.`, more);
}

/** The bits of an address, IPv4 and IPv6, that count as one source. */
type Prefix = { 4: number; 6: number };

/** One customer has many addresses: providers give a site a /56 of IPv6 (RIPE-690), and companies share a /24 of IPv4. */
const COMPANY: Prefix = { 4: 24, 6: 56 };
/** The smallest block in which one sender can choose an address. */
export const SENDER: Prefix = { 4: 32, 6: 56 };

/** The block of an address. Addresses that cannot be read are one block. */
export function blockOf(address: string, prefix = COMPANY): string {
  const host = parseBlock(address);
  const block = host && parseBlock(`${blockText(host)}/${prefix[host.version]}`);
  return block ? blockText(block) : 'unknown';
}
