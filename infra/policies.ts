import { Names, Stack } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Needs } from '#functions/needs.ts';
import { keySets } from '#shared/platform/auth/key-set.ts';
import type { JobName } from '#shared/platform/jobs/jobs.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import type { Front } from './front.ts';
import type { LanguageModel } from './language-model.ts';
import type { Mail } from './mail.ts';
import type { Payments } from './payments.ts';
import type { JobQueue } from './queues.ts';
import type { Storage } from './storage.ts';

export type Resources = {
  storage: Storage;
  queues: readonly JobQueue[];
  front: Front | undefined;
  languageModel: LanguageModel;
  mail: Mail;
  payments: Payments;
  /** The addresses of the feeds about vulnerabilities, as settings. */
  feeds: Record<string, string>;
  /** The provider of bot challenges, as settings. */
  challenges: Record<string, string>;
};
type Use = { needs: Needs; logGroup: ILogGroup; consumes?: JobName };

/** Single reads and writes, queries and transactions. Scans are permitted by declaration only: no request may need one. */
const tableActions = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'ConditionCheckItem',
].map((action) => `dynamodb:${action}`);

const readActions = ['s3:GetObject'];
const writeActions = [
  ...readActions,
  's3:PutObject',
  's3:DeleteObject',
  's3:AbortMultipartUpload',
  's3:ListMultipartUploadParts',
];

/** The rights of a function: always the table and its own log, the others by its declaration. */
export function functionPolicy(scope: Construct, resources: Resources, use: Use): PolicyDocument {
  const { storage, queues, languageModel, mail, payments } = resources;
  const { needs, logGroup, consumes } = use;
  const statements = [
    allow([...tableActions, ...(needs.scansTable ? ['dynamodb:Scan'] : [])], storage.table.tableArn),
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
    // X-Ray has no resources, so AWS demands the asterisk.
    allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'),
    keyUse(scope, resources, needs),
    ...bucketStatements(storage, needs),
    ...queueStatements(queues, needs, consumes),
  ];
  if (!needs.signingKey) statements.push(noTokenKeys(storage.table.tableArn));
  if (needs.signingKey) {
    const write = needs.signingKey === 'rotate' ? ['secretsmanager:PutSecretValue'] : [];
    statements.push(allow(['secretsmanager:GetSecretValue', ...write], storage.signingSecret.arn));
  }
  if (needs.sealingKey) statements.push(allow(['secretsmanager:GetSecretValue'], storage.sealingSecret.arn));
  if (needs.billingSecret) statements.push(allow(['secretsmanager:GetSecretValue'], storage.billingSecret.arn));
  if (needs.challenges) statements.push(allow(['secretsmanager:GetSecretValue'], storage.challengeSecret.arn));
  if (needs.originSecret && resources.front)
    statements.push(allow(['secretsmanager:GetSecretValue'], resources.front.secretName));
  if (needs.languageModel) statements.push(...languageModel.statements);
  if (needs.mail) statements.push(...mail.statements);
  if (needs.payments) statements.push(...payments.statements);
  return new PolicyDocument({ statements });
}

/** A key of access tokens that somebody else wrote would sign tokens of every organization. A transaction needs these rights, too. */
const noTokenKeys = (tableArn: string): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.DENY,
    actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map((action) => `dynamodb:${action}`),
    resources: [tableArn],
    conditions: {
      'ForAnyValue:StringEquals': {
        'dynamodb:LeadingKeys': [rowKey(GLOBAL_SCOPE, keySets, { name: 'access-tokens' }).pk],
      },
    },
  });

const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });

/** The key of the data, usable only through the services that the function uses. */
function keyUse(scope: Construct, { storage: { key }, front, payments }: Resources, needs: Needs): PolicyStatement {
  const { signingKey, sealingKey, billingSecret, challenges, originSecret } = needs;
  const readsOptional = (needs.payments && payments.statements.length > 0) || (originSecret && front !== undefined);
  const readsSecrets = signingKey || sealingKey || billingSecret || challenges || readsOptional;
  const services = ['dynamodb', ...(needs.bucket ? ['s3'] : []), ...(readsSecrets ? ['secretsmanager'] : [])];
  const { region, urlSuffix } = Stack.of(scope);
  const via = services.map((name) => `${name}.${region}.${urlSuffix}`);
  return new PolicyStatement({
    actions: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': via } },
  });
}

function bucketStatements({ bucket }: Storage, { bucket: need }: Needs): PolicyStatement[] {
  if (!need) return [];
  return [
    allow(need === 'write' ? writeActions : readActions, bucket.arnForObjects('*')),
    // Without this right S3 answers 403 instead of 404 for a missing object.
    allow(['s3:ListBucket'], bucket.bucketArn),
  ];
}

function queueStatements(queues: readonly JobQueue[], needs: Needs, consumes?: JobName): PolicyStatement[] {
  const arnsOf = (wanted: readonly JobName[]) =>
    queues.filter(({ job }) => wanted.includes(job)).map(({ queue }) => queue.queueArn);
  const statements: PolicyStatement[] = [];
  if (needs.sends?.length) statements.push(allow(['sqs:SendMessage'], ...arnsOf(needs.sends)));
  if (needs.checksQueues)
    statements.push(allow(['sqs:GetQueueAttributes'], ...queues.map(({ queue }) => queue.queueArn)));
  if (consumes) {
    const actions = [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:GetQueueAttributes',
    ];
    statements.push(allow(actions, ...arnsOf([consumes])));
  }
  return statements;
}

/** The reasons for the remaining asterisks, for cdk-nag. */
export function policyReasons({ storage, languageModel, mail }: Resources, needs: Needs): Record<string, string> {
  const resource = storage.bucket.node.defaultChild;
  // The parameter by which the CDK hands the bucket's ARN to a nested stack.
  const parameter = resource && `referenceto${Names.nodeUniqueId(resource.node)}Arn`;
  return {
    'AwsSolutions-IAM5[Resource::*]': 'X-Ray accepts no narrower resource for segments.',
    ...(needs.languageModel && languageModel.reasons),
    ...(needs.mail && mail.reasons),
    ...(needs.bucket && {
      [`AwsSolutions-IAM5[Resource::<${parameter}>/*]`]:
        'The function uses all objects of one bucket; their keys are ids.',
    }),
  };
}
