import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A connection to one table. Made once per process and handed to every `Table`. */
export type Dynamo = { client: DynamoDBDocumentClient; tableName: string };

/**
 * Numbers leave DynamoDB as text. Those that a double cannot hold (bit masks, packed counts) become `bigint`, whatever
 * form the engine writes them in (`1E+30` included).
 */
function parseNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+(\.\d+)?([eE]\+?\d+)?$/.test(text)) return value;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length;
  return shift < 0 ? value : BigInt(whole + fraction) * 10n ** BigInt(shift);
}

export function openDynamo(tableName: string, config: DynamoDBClientConfig = {}): Dynamo {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: parseNumber },
  });
  return { client, tableName };
}
