import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readTogether } from './read-memory.ts';

/** A connection to one table. Made once per process and handed to every `Table`. */
export type Dynamo = { client: DynamoDBDocumentClient; tableName: string };

const DIGITS = /^\d+$/;
/** A number of more digits may be above the exact ones. */
const EXACT_DIGITS = 16;

/**
 * DynamoDB sends numbers as text. A number that a double cannot hold exactly (bit mask, packed counts) becomes a
 * `bigint`, also from a form such as `1E+30`.
 */
export function parseNumber(text: string): number | bigint {
  if (text.length > EXACT_DIGITS && DIGITS.test(text)) return BigInt(text);
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+(\.\d+)?([eE]\+?\d+)?$/.test(text)) return value;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length;
  return shift < 0 ? value : BigInt(whole + fraction) * 10n ** BigInt(shift);
}

/** The client's own settings are the first two. */
const agent = { keepAlive: true, maxSockets: 50, ...readTogether };

export function openDynamo(tableName: string, config: DynamoDBClientConfig = {}): Dynamo {
  const requestHandler = { httpAgent: agent, httpsAgent: agent };
  const plain = new DynamoDBClient({ maxAttempts: 5, requestHandler, ...config });
  // the one copies each request and answer for a log that is not kept, the other describes this client in each request
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) plain.middlewareStack.remove(name);
  signWithOne(plain);
  const client = DynamoDBDocumentClient.from(plain, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: parseNumber },
  });
  return { client, tableName };
}

/** The client would make another signer for each request. A signer asks for current credentials at each signature. */
function signWithOne({ config }: DynamoDBClient): void {
  const make = config.signer;
  let made: ReturnType<typeof make> | undefined;
  config.signer = (scheme) => {
    made ??= make(scheme);
    return made;
  };
}
