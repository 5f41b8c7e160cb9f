import { type App, ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, stackName } from './deployment.ts';
import type { Storage } from './storage.ts';

const KEPT = Duration.days(35);

/**
 * Adds a daily copy of table and bucket, in this region and in the region that the tenant names, with the stack that
 * holds it there. Adds nothing without that setting.
 */
export function addCopies(app: App, stack: Stack, { deployment, storage }: CopySource): void {
  const { copyRegion } = deployment;
  if (copyRegion === undefined) return;
  const elsewhere = copyStack(app, deployment, copyRegion);
  stack.addDependency(elsewhere);
  const scope = new Construct(stack, 'Copies');
  const plan = new BackupPlan(scope, 'Plan', {
    backupVault: vaultIn(scope, storage.key, deployment),
  });
  plan.addRule(
    new BackupPlanRule({
      ruleName: 'daily',
      scheduleExpression: Schedule.cron({ hour: '2', minute: '0' }),
      deleteAfter: KEPT,
      copyActions: [
        {
          destinationBackupVault: BackupVault.fromBackupVaultArn(
            scope,
            'Elsewhere',
            vaultArn(stack, deployment, copyRegion),
          ),
          deleteAfter: KEPT,
        },
      ],
    }),
  );
  plan.addSelection('Data', {
    resources: [BackupResource.fromArn(storage.table.tableArn), BackupResource.fromArn(storage.bucket.bucketArn)],
    role: backupRole(scope),
    disableDefaultBackupPolicy: true,
  });
}

type CopySource = { deployment: Deployment; storage: Storage };

/** The vault in the other region, with a key of that region: the copies outlive this region and the stack. */
function copyStack(app: App, deployment: Deployment, region: string): Stack {
  const name = `${stackName(deployment)}-copies`;
  const stack = new Stack(app, `${name}-${region}`, {
    stackName: name,
    env: { account: deployment.account, region },
    description: 'Copies of the data of the security exposure management service',
    terminationProtection: deployment.stage !== 'development',
  });
  vaultIn(stack, new Key(stack, 'Key', { enableKeyRotation: true, removalPolicy: policyOf(deployment) }), deployment);
  return stack;
}

const policyOf = ({ stage }: Deployment): RemovalPolicy =>
  stage === 'development' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

const vaultIn = (scope: Construct, encryptionKey: Storage['key'], deployment: Deployment): BackupVault =>
  new BackupVault(scope, 'Vault', {
    backupVaultName: stackName(deployment),
    encryptionKey,
    removalPolicy: policyOf(deployment),
  });

const vaultArn = (stack: Stack, deployment: Deployment, region: string): string =>
  stack.formatArn({
    service: 'backup',
    region,
    resource: 'backup-vault',
    resourceName: stackName(deployment),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

function backupRole(scope: Construct): Role {
  const policies = ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup'];
  const role = new Role(scope, 'Role', {
    // AWS does not say that Backup names the account when it takes a role. A role is passed within its account only.
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  const reason = 'AWS keeps the rights that its backups of tables and buckets need; the role serves AWS Backup alone.';
  acknowledge(
    role,
    Object.fromEntries(
      policies.map((name) => [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`, reason]),
    ),
  );
  return role;
}
