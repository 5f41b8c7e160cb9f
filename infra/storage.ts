import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  type LifecycleRule,
} from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { MOVED_PREFIX } from '#shared/advisories/feeds.ts';
import { COMPLETIONS_PREFIX } from '#shared/apex/completion.ts';
import { EXPORT_DAYS, EXPORTS_PREFIX } from '#shared/platform/exports/export.ts';
import { TASK_FILES_PREFIX } from '#shared/platform/jobs/task-files.ts';
import { tableDefinition } from '#shared/platform/table/definition.ts';
import { COPIES_PREFIX } from '#shared/platform/table/upkeep/copies.ts';
import { UPLOADS_PREFIX } from '#shared/platform/uploads/parts.ts';
import { BATCHES_PREFIX } from '#shared/soc/siem/batches.ts';
import { EVENTS_PREFIX } from '#shared/soc/siem/segments.ts';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, namePrefix } from './deployment.ts';

export type Storage = {
  key: Key;
  table: ITable;
  bucket: IBucket;
  signingSecret: NamedSecret;
  sealingSecret: NamedSecret;
  billingSecret: NamedSecret;
  challengeSecret: NamedSecret;
};
type NamedSecret = { name: string; arn: string };

/** The resources that must survive mistakes: the table, the bucket, the secrets, and the key that encrypts them. */
export function addStorage(parent: Construct, deployment: Deployment): Storage {
  const scope = new Construct(parent, 'Storage');
  const disposable = deployment.stage === 'development';
  // Kept for good, except resources of a first deployment that failed: they would block the next one.
  const removalPolicy = disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
  const key = new Key(scope, 'Key', {
    description: `Data of ${namePrefix(deployment).slice(0, -1)}`,
    enableKeyRotation: true,
    removalPolicy,
  });
  allowAlarms(key);
  const own = new Table(scope, 'Table', {
    partitionKey: { name: tableDefinition.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableDefinition.sortKey, type: AttributeType.STRING },
    timeToLiveAttribute: tableDefinition.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(deployment.warmWriteUnits && { warmThroughput: { writeUnitsPerSecond: deployment.warmWriteUnits } }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
    deletionProtection: !disposable,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    removalPolicy,
  });
  const { restoredTable } = deployment;
  const table = restoredTable ? Table.fromTableName(scope, 'RestoredTable', restoredTable) : own;
  return {
    key,
    table,
    bucket: addBucket(scope, key, { removalPolicy, origins: browserOrigins(deployment) }),
    signingSecret: addSigningSecret(scope, key),
    sealingSecret: addSealingSecret(scope, key, removalPolicy),
    billingSecret: addBillingSecret(scope, key),
    challengeSecret: addChallengeSecret(scope, key),
  };
}

/** Lets CloudWatch use the key, without which alarms cannot reach the encrypted topic. */
function allowAlarms(key: Key): void {
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(key).account } },
    }),
  );
}

/** A browser sends the parts of a report to presigned addresses, and reads files from such. */
const UPLOADS_BY_BROWSER = {
  allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
  allowedHeaders: ['*'],
  maxAge: 3600,
};

/** Without a domain of its own the address of the console is known only once CloudFront is there; a presigned address is the proof. */
const browserOrigins = ({ consoleOrigins, console, baseUrl }: Deployment): string[] => [
  ...consoleOrigins,
  ...(console ? [baseUrl ? new URL(baseUrl).origin : 'https://*.cloudfront.net'] : []),
];

const LIFECYCLE: LifecycleRule[] = [
  { id: 'replaced', noncurrentVersionExpiration: Duration.days(30), expiredObjectDeleteMarker: true },
  { id: 'abandoned-uploads', abortIncompleteMultipartUploadAfter: Duration.days(2) },
  // A used upload is read within 28 days: the two weeks of a message and the two weeks of a dead letter.
  {
    id: 'unused-uploads',
    prefix: UPLOADS_PREFIX,
    expiration: Duration.days(30),
    noncurrentVersionExpiration: Duration.days(1),
  },
  // Sealed, and unreadable a day after the request; the replaced versions expire with them.
  {
    id: 'completions',
    prefix: COMPLETIONS_PREFIX,
    expiration: Duration.days(2),
    noncurrentVersionExpiration: Duration.days(1),
  },
  // A copy of what anyone may export again.
  {
    id: 'exports',
    prefix: EXPORTS_PREFIX,
    expiration: Duration.days(EXPORT_DAYS),
    noncurrentVersionExpiration: Duration.days(1),
  },
  // The copies of a month would double what events cost.
  { id: 'events', prefix: EVENTS_PREFIX, noncurrentVersionExpiration: Duration.days(1) },
  // Removed once they are stored; a dead letter is kept for two weeks.
  {
    id: 'event-batches',
    prefix: BATCHES_PREFIX,
    expiration: Duration.days(30),
    noncurrentVersionExpiration: Duration.days(1),
  },
  // Copies of whole organizations; download a copy to keep it longer.
  {
    id: 'organization-copies',
    prefix: COPIES_PREFIX,
    expiration: Duration.days(30),
    noncurrentVersionExpiration: Duration.days(1),
  },
  // Read by the tasks of one day.
  { id: 'moved-advisories', prefix: MOVED_PREFIX, expiration: Duration.days(30) },
  // Reports as they were sent, kept longer than their tasks for questions about a finding. Those that quote secrets are removed, for good.
  {
    id: 'task-files',
    prefix: TASK_FILES_PREFIX,
    expiration: Duration.days(90),
    noncurrentVersionExpiration: Duration.days(1),
  },
];

type BucketSettings = { removalPolicy: RemovalPolicy; origins: string[] };

/** The bucket for uploaded reports, files of tasks, exports, completions and the packed states of scans. */
function addBucket(scope: Construct, key: Key, { removalPolicy, origins }: BucketSettings): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
    encryption: BucketEncryption.KMS,
    encryptionKey: key,
    // One data key per bucket and hour instead of a call of KMS per object.
    bucketKeyEnabled: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    // A scan state that was overwritten or removed by mistake can be restored for a month.
    versioned: true,
    removalPolicy,
    // CloudFormation cannot remove a bucket that holds objects.
    autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
    lifecycleRules: LIFECYCLE,
    cors: origins.length > 0 ? [{ ...UPLOADS_BY_BROWSER, allowedOrigins: origins }] : [],
  });
  acknowledge(bucket, {
    'AwsSolutions-S1':
      'Only the functions read the bucket, with keys that their logs and tasks name; the audit trail shows who signed an upload.',
  });
  return bucket;
}

/** Empty until the bootstrap command writes the first key: CloudFormation would keep a key in its history. */
function addSigningSecret(scope: Construct, key: Key): NamedSecret {
  const secret = new CfnSecret(scope, 'SigningSecret', {
    description: 'Private key of the access tokens; written by npm run bootstrap, replaced by the function keys',
    kmsKeyId: key.keyArn,
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4':
      'The function keys rotates the key every 90 days and publishes the new public key before the new private one signs; a rotation by Secrets Manager would break tokens.',
  });
  return { name: secret.ref, arn: secret.ref };
}

/**
 * Empty until the bootstrap command writes the first key. Kept like the table: without its keys all sealed values are
 * lost.
 */
function addSealingSecret(scope: Construct, key: Key, removalPolicy: RemovalPolicy): NamedSecret {
  const secret = new CfnSecret(scope, 'SealingSecret', {
    description: 'Keys of prompts and scan credentials; written by npm run bootstrap, added to by npm run rotate-key',
    kmsKeyId: key.keyArn,
  });
  secret.applyRemovalPolicy(removalPolicy);
  acknowledge(secret, {
    'AwsSolutions-SMG4':
      'npm run rotate-key --sealing adds a key and keeps the earlier ones; a rotation by Secrets Manager would lose the values that these sealed.',
  });
  return { name: secret.ref, arn: secret.ref };
}

/** Empty until an operator writes the secret of the webhook at the payment processor: until then its events are refused. */
function addBillingSecret(scope: Construct, key: Key): NamedSecret {
  const secret = new CfnSecret(scope, 'BillingSecret', {
    description:
      'Webhook secret of the payment processor (whsec_...), as it shows it; written by an operator: docs/operate.md',
    kmsKeyId: key.keyArn,
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4': 'The payment processor makes the secret; an operator rotates it there and writes it here.',
  });
  return { name: secret.ref, arn: secret.ref };
}

/** Made by CloudFormation; with Turnstile an operator writes Cloudflare's secret key in its place. */
function addChallengeSecret(scope: Construct, key: Key): NamedSecret {
  const secret = new CfnSecret(scope, 'ChallengeSecret', {
    description:
      'Signs bot challenges; with Turnstile the secret key of its widget, written by an operator: docs/operate.md',
    kmsKeyId: key.keyArn,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4':
      'Nobody sees the value. A challenge lives for minutes, and who forges one still passes no window: put another value after a leak.',
  });
  return { name: secret.ref, arn: secret.ref };
}
