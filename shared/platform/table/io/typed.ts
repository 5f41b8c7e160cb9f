import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { parseNumber } from '../../runtime/dynamo.ts';

/*
 * Values in the form of the table, and back. A transaction or a page has a thousand of them, mostly texts, numbers and
 * bytes: the document client walks each request and each answer twice.
 */

/** Values for the table, without undefined ones. */
export function typed(values: Readonly<Record<string, NativeAttributeValue>>): Record<string, AttributeValue> {
  const all: Record<string, AttributeValue> = {};
  for (const name of Object.keys(values)) {
    const value: NativeAttributeValue = values[name];
    if (value !== undefined) all[name] = typedOne(value);
  }
  return all;
}

function typedOne(value: NativeAttributeValue): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return { N: String(value) };
  if (value instanceof Uint8Array) return { B: value };
  const { one = { NULL: true } } = marshall({ one: value }, { removeUndefinedValues: true });
  return one;
}

/** Values of a row that was read. */
export function native(values: Readonly<Record<string, AttributeValue>>): Record<string, NativeAttributeValue> {
  const all: Record<string, NativeAttributeValue> = {};
  for (const name in values) all[name] = nativeOne(values[name] as AttributeValue);
  return all;
}

function nativeOne(value: AttributeValue): NativeAttributeValue {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return parseNumber(value.N);
  return value.B ?? unmarshall({ one: value }, { wrapNumbers: parseNumber }).one;
}
