import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingOutputs } from '#infra/outputs.ts';
import { ensureTable } from '#local/table-setup.ts';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { keySets, readKeySet } from '#shared/platform/auth/key-set.ts';
import { taskPlaces } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { scanPage } from '#shared/platform/table/upkeep/owned.ts';
import { type Control, startControl } from '../support/aws-control.ts';
import { type FakeStack, startCloudFormation } from '../support/cloudformation.ts';
import { plainEnvironment } from '../support/plain-environment.ts';
import { type Store, startStore } from '../support/store.ts';

const run = promisify(execFile);
const STACK = 'exposure-acme-production';
const AT = '2026-01-31T10:00:00Z';
const RESTORED = `${STACK}-at-20260131100000000`;
const ORGANIZATION = '01a20bb8-3614-798e-8000-000000ad99e2';

/** The messages in flight that each queue tells when it is asked, then none. */
let inFlight: number[] = [];
const asked: string[] = [];

let store: Store;
let stack: FakeStack & { outputs: Record<string, string> };
let servers: { url: string; stop(): void }[];
let environment: NodeJS.ProcessEnv;
const settings = new Set<string>();
const set = (setting: string): object => {
  settings.add(setting);
  return {};
};

const mapping = (UUID: string, FunctionArn: string) => ({
  UUID,
  FunctionArn,
  State: 'Enabled',
  EventSourceArn: 'arn:ingest',
});
const version = (key: string, id: string, at: string, isLatest: boolean) =>
  `<Version><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest><LastModified>${at}</LastModified></Version>`;
const marker = (key: string, id: string, at: string) =>
  `<DeleteMarker><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>true</IsLatest><LastModified>${at}</LastModified></DeleteMarker>`;
const [before, after] = ['2026-01-30T10:00:00Z', '2026-02-01T10:00:00Z'];
const state = `${ORGANIZATION}/scopes/s/t`;

const control: Control = {
  mappings: [
    mapping('ours', `arn:aws:lambda:eu-west-1:1:function:${STACK}-ingest-worker:live`),
    mapping('other', 'arn:aws:lambda:eu-west-1:1:function:exposure-other-production-ingest-worker'),
  ],
  schedules: [{ Name: `${STACK}-sweeper`, State: 'ENABLED', ScheduleExpression: 'rate(1 minute)' }],
  dynamo: {
    RestoreTableToPointInTime: (input) => restoreCopy(String(input.TargetTableName)),
    DescribeTimeToLive: () => ({
      TimeToLiveDescription: { TimeToLiveStatus: settings.has('ttl') ? 'ENABLED' : 'DISABLED' },
    }),
    UpdateTimeToLive: () => set('ttl'),
    DescribeContinuousBackups: () => {
      const PointInTimeRecoveryStatus = settings.has('backups') ? 'ENABLED' : 'DISABLED';
      const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus };
      return { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription } };
    },
    UpdateContinuousBackups: () => set('backups'),
    GetQueueAttributes: async () => {
      const ApproximateNumberOfMessagesNotVisible = String(inFlight.shift() ?? 0);
      asked.push(`messages in flight: ${workers()}`);
      return { Attributes: { ApproximateNumberOfMessagesNotVisible } };
    },
    UpdateTable: ({ DeletionProtectionEnabled }) => set(`protected ${DeletionProtectionEnabled}`),
  },
  versions: '',
  changes: [],
};

/** The rows of the moment, with the key set of then. */
async function restoreCopy(tableName: string): Promise<object> {
  await ensureTable(store.dynamo.client as never, tableName);
  const { rows } = await scanPage(store.dynamo);
  const restored = { ...store.dynamo, tableName };
  await writeRows(restored, { put: rows });
  await openTable(restored, GLOBAL_SCOPE).rows(keySets).put({ name: 'access-tokens', revision: 1, keys: [] });
  return {};
}

beforeAll(async () => {
  store = await startStore();
  const endpoint = await store.dynamo.client.config.endpoint?.();
  const outputs = Object.fromEntries(Object.keys(settingOutputs).map((name) => [name, 'http://127.0.0.1:9/']));
  stack = { outputs: { ...outputs, TableName: store.dynamo.tableName, BucketName: 'files' } };
  const aws = await startControl(control, `http://${endpoint?.hostname}:${endpoint?.port}/`);
  const cloudFormation = await startCloudFormation({ [`eu-west-1/${STACK}`]: stack });
  servers = [aws, cloudFormation];
  environment = {
    ...plainEnvironment,
    DYNAMODB_ENDPOINT: aws.url,
    S3_ENDPOINT: aws.url,
    SQS_ENDPOINT: aws.url,
    SECRETS_FILE: join(tmpdir(), 'none.json'),
    AWS_ENDPOINT_URL_LAMBDA: aws.url,
    AWS_ENDPOINT_URL_SCHEDULER: aws.url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_REGION: 'us-east-1',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  const current = { name: 'access-tokens' as const, revision: 7, keys: [{ kid: 'today', x: 'x', createdAt: before }] };
  await openTable(store.dynamo, GLOBAL_SCOPE).rows(keySets).put(current);
});
afterAll(async () => {
  for (const server of servers) server.stop();
  await store.stop();
});

const restore = async () =>
  (
    await run(process.execPath, ['infra/restore.ts', '--stack', STACK, '--region', 'eu-west-1', '--at', AT], {
      env: environment,
    })
  ).stdout;
const workers = () => [...control.mappings, ...control.schedules].map(({ State }) => State);

test('one command, repeated, stops the workers, restores table, objects and keys, and goes on once the table is deployed', async () => {
  const { organizationId } = await createOrganization({ dynamo: store.dynamo } as Connections, 'Acme');
  control.versions = `<ListVersionsResult><IsTruncated>false</IsTruncated>${[
    version(state, 'v1', before, false),
    version('changes/a.json', 'w2', after, true),
    version('changes/a.json', 'w1', before, false),
    version('new', 'n1', after, true),
    version('exports/x', 'e1', before, false),
    marker(state, 'm1', after),
    marker('exports/x', 'm2', after),
  ].join('')}</ListVersionsResult>`;
  inFlight = [2, 1];
  asked.length = 0;
  const told = await restore();
  // what a worker had begun ends before its objects are brought back
  expect(told).toMatch(/waits for 3 messages in flight\n(?!waits)[\s\S]*brings back 2 objects/);
  expect(new Set(asked)).toEqual(new Set(['messages in flight: Disabled,Enabled,DISABLED']));
  expect(told).toContain(`"restoredTable": "${RESTORED}"`);
  expect(workers()).toEqual(['Disabled', 'Enabled', 'DISABLED']);
  expect(control.schedules[0]).toMatchObject({ ScheduleExpression: 'rate(1 minute)' });
  expect([...settings]).toEqual(['ttl', 'backups', 'protected true']);
  expect(control.changes).toEqual([
    `DELETE /files/${state}?versionId=m1`,
    'PUT /files/changes/a.json from files/changes/a.json?versionId=w1',
  ]);
  const restored = { ...store.dynamo, tableName: RESTORED };
  expect(await readKeySet(restored)).toMatchObject({ revision: 7, keys: [{ kid: 'today' }] });
  // stopped somewhere and called again: the table is not restored twice
  expect(await restore()).not.toContain('restores ');
  stack.outputs.TableName = RESTORED;
  expect(await restore()).toContain(organizationId);
  expect(workers()).toEqual(['Enabled', 'Enabled', 'ENABLED']);
  const queued = await openTable(restored, organizationId)
    .rows(taskPlaces)
    .query('maintenance_restored', { consistent: true });
  expect(queued).toHaveLength(1);
});

test('one organization is copied as it was then, while the workers go on', async () => {
  const { organizationId } = await createOrganization({ dynamo: store.dynamo } as Connections, 'Other');
  stack.outputs.TableName = store.dynamo.tableName;
  const earlier = '2026-01-30T12:00:00Z';
  const theirs = `${organizationId}/scopes/s/t`;
  const listed = [
    version(theirs, 'v2', after, true),
    version(theirs, 'v1', before, false),
    version('foreign', 'f', before, true),
  ];
  control.versions = `<ListVersionsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListVersionsResult>`;
  control.objects = new Map();
  control.changes = [];
  const [states, at] = [workers(), ['--at', earlier, '--organization', organizationId]];
  const { stdout } = await run(
    process.execPath,
    ['infra/restore.ts', '--stack', STACK, '--region', 'eu-west-1', ...at],
    {
      env: environment,
    },
  );
  expect(workers()).toEqual(states);
  const [, copyId] = /"copyId": "([^"]+)"/.exec(stdout) ?? [];
  const prefix = `/files/organization-copies/${organizationId}/${copyId}`;
  expect(control.changes.filter((one) => one.includes(' from '))).toEqual([
    `PUT ${prefix}/objects/${theirs} from files/${theirs}?versionId=v1`,
  ]);
  const [manifest] = [...control.objects].filter(([path]) => path.startsWith(`${prefix}/manifest.json`));
  expect(manifest?.[1].toString()).toContain('"name":"Other"');
  expect(manifest?.[1].toString()).toContain('"objects":1');
  expect(manifest?.[1].toString()).toMatch(/"rows":[1-9]/);
});
