import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;
/** One row that a request writes: its key, and the write units that it costs. */
export type WrittenRow = { id: string; pk: string; units: number };
export type CloudRequest = { operation: string; isTransaction: boolean; isRead: boolean; rows: WrittenRow[] };

type Target = { Key?: Item; Item?: Item; ExpressionAttributeValues?: Item };
type Input = Target & {
  TransactItems?: Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Target>>[];
  RequestItems?: Record<string, BatchEntry[]>;
};
export type BatchEntry = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

/** Reads the written rows from a request of the protocol. Requests about the table itself write no rows. */
export function readRequest(operation: string, body: Buffer): CloudRequest {
  const isTransaction = operation === 'TransactWriteItems';
  const input: Input = writes.has(operation) ? JSON.parse(body.toString()) : {};
  return { operation, isTransaction, isRead: reads.has(operation), rows: rowsOf(operation, input) };
}

function rowsOf(operation: string, input: Input): WrittenRow[] {
  if (input.TransactItems) return input.TransactItems.map((of) => written(Object.values(of)[0] ?? {}, 2));
  if (input.RequestItems) return batchEntries(input).map(rowOfEntry);
  return writes.has(operation) ? [written(input, 1)] : [];
}

const batchEntries = ({ RequestItems = {} }: Input): BatchEntry[] => Object.values(RequestItems).flat();

export const rowOfEntry = ({ PutRequest, DeleteRequest }: BatchEntry): WrittenRow =>
  written(PutRequest ?? DeleteRequest ?? {}, 1);

/**
 * A write costs a unit for each begun kilobyte of the row, in a transaction two. For an update the protocol shows only
 * the change: rows that are added to stay below a kilobyte by design.
 */
function written({ Item, Key, ExpressionAttributeValues }: Target, each: 1 | 2): WrittenRow {
  const { pk, sk } = Item ?? Key ?? {};
  const size = itemBytes(Item ?? { ...Key, ...ExpressionAttributeValues });
  return { id: `${pk?.S}\n${sk?.S}`, pk: String(pk?.S), units: each * Math.max(1, Math.ceil(size / 1024)) };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.B !== undefined) return Math.floor((String(value.B).length * 3) / 4); // base64 in the protocol
  if (value.L) return 3 + value.L.reduce((sum, one) => sum + 1 + valueBytes(one), 0);
  if (value.M) return 3 + itemBytes(value.M) + Object.keys(value.M).length;
  return 1;
}
