import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { Mistake } from '#local/mistake.ts';
import { keySets, readKeySet } from '#shared/platform/auth/key-set.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { tableDefinition } from '#shared/platform/table/definition.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

type Tell = (line: string) => void;

/** The name contains the moment, so that the same command finds the table that it made before. */
export const restoredName = (stack: string, at: string): string => `${stack}-at-${at.replace(/\D/g, '')}`;

const WAIT_MS = 15_000;

/** Restores the table beside the live one, and waits until it can be used. */
export async function restoreTable({ client, tableName }: Dynamo, to: string, at: string, tell: Tell): Promise<void> {
  if (!(await describe({ client, tableName: to }))) {
    const request = { SourceTableName: tableName, TargetTableName: to, RestoreDateTime: new Date(at) };
    await client.send(new RestoreTableToPointInTimeCommand(request));
    tell(`restores ${tableName} to ${to}`);
  }
  while ((await describe({ client, tableName: to }))?.TableStatus !== 'ACTIVE') await sleep(WAIT_MS);
  tell(`${to} is there`);
}

async function describe({ client, tableName }: Dynamo): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/**
 * Sets on the restored table the settings that a restore does not copy: the time to live, backups, and protection from
 * deletion.
 */
export async function protectTable(restored: Dynamo, tell: Tell): Promise<void> {
  const { client, tableName: TableName } = restored;
  const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (!ttl.TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    tell('rows expire');
  }
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED') {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
    tell('backups are on');
  }
  if ((await describe(restored))?.DeletionProtectionEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  tell('deletion is prevented');
}

/**
 * Takes over the current public keys: the signing secret has the current keys, and the former public keys would refuse
 * its tokens.
 */
export async function keepKeySet(live: Dynamo, restored: Dynamo, tell: Tell): Promise<void> {
  const keys = await readKeySet(live);
  if (keys.revision === 0)
    throw new Mistake(`${live.tableName} has no keys of access tokens: name the stack whose table it is.`);
  await openTable(restored, GLOBAL_SCOPE).rows(keySets).put(keys);
  tell(`takes over ${keys.keys.length} public keys of access tokens`);
}
