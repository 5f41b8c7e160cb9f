import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '#shared/platform/table/definition.ts';

/** Creates the table unless it exists. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const { partitionKey, sortKey } = tableDefinition;
  const creation = new CreateTableCommand({
    TableName: tableName,
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      { AttributeName: sortKey, AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  });
  try {
    await client.send(creation);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: tableName });
  await ensureTimeToLive(client, tableName);
}

/** Looks first, because AWS refuses to enable expiry twice. */
async function ensureTimeToLive(client: DynamoDBClient, tableName: string): Promise<void> {
  const now = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  const status = now.TimeToLiveDescription?.TimeToLiveStatus;
  if (status === 'ENABLED' || status === 'ENABLING') return;
  const specification = { AttributeName: tableDefinition.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: specification }));
}
