import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: process.env.DYNAMODB_ENDPOINT }));

/** The least that a function on this table can be: the yardstick of the areas' cold starts. */
export async function handler(): Promise<{ statusCode: number }> {
  await client.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: { pk: 'nothing', sk: 'nothing' } }));
  return { statusCode: 200 };
}
