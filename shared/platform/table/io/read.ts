import { type AttributeValue, BatchGetItemCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { type DigitRow, digitRows, takeRows } from '../layout/digits.ts';
import type { Key, Row } from '../layout/keys.ts';
import { belongTogether } from '../layout/record.ts';
import { type Response, readBody, useAgain } from './body.ts';
import { retried, Unprocessed } from './retried.ts';
import { native, typed } from './typed.ts';

type Typed = Record<string, AttributeValue>;

const rowOf = (item: Typed): Row => native(item) as Row;

const MAX_BYTES = { pk: 2048, sk: 1024 };

/** No row has a key that exceeds the table's limit; callers may ask for any key. */
const fits = ({ pk, sk }: Key): boolean =>
  Buffer.byteLength(pk) <= MAX_BYTES.pk && Buffer.byteLength(sk) <= MAX_BYTES.sk;

export async function getRow(dynamo: Dynamo, { pk, sk }: Key, consistent = false): Promise<Row | undefined> {
  if (!fits({ pk, sk })) return undefined;
  const get = new GetItemCommand({ TableName: dynamo.tableName, Key: typed({ pk, sk }), ConsistentRead: consistent });
  const { Item } = await retried(() => dynamo.client.send(get));
  return Item && rowOf(Item);
}

/** `only`: the attributes to answer with. A read costs the whole row nevertheless. */
type Reading = { consistent?: boolean; only?: readonly string[] | undefined };

/** The rows of these keys, in no particular order: 100 keys a call, calls in parallel. */
export const getRows = (dynamo: Dynamo, keys: readonly Key[], consistent = false): Promise<Row[]> =>
  getParts(dynamo, keys, { consistent });

/** The same, of each row some attributes. */
export async function getParts(dynamo: Dynamo, keys: readonly Key[], reading: Reading): Promise<Row[]> {
  return (await Promise.all(chunksOf(keys, 100).map((chunk) => getChunk(dynamo, chunk, reading)))).flat();
}

async function getChunk(dynamo: Dynamo, chunk: readonly Key[], { consistent, only }: Reading): Promise<Row[]> {
  const rows: Row[] = [];
  let left: Typed[] = chunk.map(({ pk, sk }) => typed({ pk, sk }));
  const read = async () => {
    const wanted = { Keys: left, ConsistentRead: consistent, ...projection(only) };
    const answer = await dynamo.client.send(new BatchGetItemCommand({ RequestItems: { [dynamo.tableName]: wanted } }));
    rows.push(...(answer.Responses?.[dynamo.tableName] ?? []).map(rowOf));
    left = answer.UnprocessedKeys?.[dynamo.tableName]?.Keys ?? [];
    if (left.length > 0) throw new Unprocessed(left.length);
  };
  await retried(read);
  return rows;
}

/** The two rows of a record at the same moment; they are read again if a write came between. */
export async function getPair(dynamo: Dynamo, [main, side]: [Key, Key], consistent = false): Promise<[Row?, Row?]> {
  for (let attempt = 1; ; attempt++) {
    const rows = await getRows(dynamo, [main, side], consistent || attempt > 1);
    const row = rows.find(({ pk }) => pk === main.pk);
    const detail = rows.find(({ pk }) => pk === side.pk);
    if (!row || belongTogether(row, detail) || attempt === 5) return [row, detail];
  }
}

export type Range = { pk: string; limit?: number; backward?: boolean } & Reading &
  ({ prefix: string } | { from: string; to: string } | { all: true });

/** Rows of one partition in key order; without a limit all rows, in as many calls as needed. */
export async function queryRows(dynamo: Dynamo, range: Range): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const answer of queryAnswers(dynamo, range)) rows.push(...answer);
  return rows;
}

/** The same rows, call by call: a partition may hold more than fits the memory. */
export const queryAnswers = (dynamo: Dynamo, range: Range): AsyncGenerator<Row[]> =>
  answersOf(dynamo, range, async (query) => {
    const { Items = [], LastEvaluatedKey } = await dynamo.client.send(query);
    return { rows: Items.map(rowOf), next: LastEvaluatedKey };
  });

/** The same, of rows of the index whose numbers are read as masks or counts. */
export async function queryDigits(dynamo: Dynamo, range: Range): Promise<DigitRow[]> {
  const rows: DigitRow[] = [];
  for await (const answer of answersOf(dynamo, range, (query) => askForDigits(dynamo, query))) rows.push(...answer);
  return rows;
}

type Answer<R> = { rows: R[]; next: Typed | undefined };

async function* answersOf<R>(
  dynamo: Dynamo,
  range: Range,
  ask: (query: QueryCommand) => Promise<Answer<R>>,
): AsyncGenerator<R[]> {
  let seen = 0;
  let start: Typed | undefined;
  do {
    const query = new QueryCommand({
      TableName: dynamo.tableName,
      ...rangeCondition(range),
      ...projection(range.only),
      Limit: range.limit === undefined ? undefined : range.limit - seen,
      ScanIndexForward: !range.backward,
      ConsistentRead: range.consistent ?? false,
      ExclusiveStartKey: start,
    });
    const { rows, next } = await retried(() => ask(query));
    yield rows;
    seen += rows.length;
    start = next;
  } while (start && (range.limit === undefined || seen < range.limit));
}

/** Takes the rows out of the answer before the client reads it. A client that takes another way answers with items. */
async function askForDigits({ client }: Dynamo, query: QueryCommand): Promise<Answer<DigitRow>> {
  let taken: DigitRow[] = [];
  query.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const response = answer.response as Response & { statusCode: number };
      if (response.statusCode >= 300) return answer;
      const bytes = await readBody(response, client.config.streamCollector);
      const { rows, rest } = takeRows(bytes);
      // rows of masks have their bits already
      if (rows.length > 0 && rows.every(({ places }) => places.length === 0)) useAgain(bytes);
      taken = rows;
      response.body = rest;
      return answer;
    },
    { step: 'deserialize', name: 'digits', priority: 'low', override: true },
  );
  const { Items = [], LastEvaluatedKey } = await client.send(query);
  const rows = Items.length === 0 ? taken : digitRows(Buffer.from(JSON.stringify(Items)));
  return { rows, next: LastEvaluatedKey };
}

/** Any name of an attribute may be a reserved word. */
const projection = (only: readonly string[] | undefined) =>
  only === undefined
    ? {}
    : {
        ProjectionExpression: only.map((_, n) => `#p${n}`).join(),
        ExpressionAttributeNames: Object.fromEntries(only.map((name, n) => [`#p${n}`, name])),
      };

function rangeCondition(range: Range) {
  if ('prefix' in range)
    return {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: typed({ ':pk': range.pk, ':prefix': range.prefix }),
    };
  if ('from' in range)
    return {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: typed({ ':pk': range.pk, ':from': range.from, ':to': range.to }),
    };
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: typed({ ':pk': range.pk }) };
}
