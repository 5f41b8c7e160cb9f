import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, type NativeAttributeValue } from '@aws-sdk/util-dynamodb';

/**
 * Values in the form of the table, without undefined ones. A transaction has a thousand of them, mostly texts, numbers
 * and bytes: the document client walks each request twice.
 */
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
