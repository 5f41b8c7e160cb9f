import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areaFunction, service } from '#infra/service.ts';
import { assemble, flat, ofType, only, type Parts, partsIn, type Template } from './synthesis.ts';

const directory = mkdtempSync(join(tmpdir(), 'releases-'));
afterAll(() => rmSync(directory, { recursive: true }));
let parts: Parts;
let releases: Template;
let copies: Template;
beforeAll(() => {
  const all = assemble(service, directory, { canary: '10 minutes', copyRegion: 'eu-west-1' });
  const inRegion = (region: string) => all.find((one) => one.region === region)?.template ?? expect.fail(region);
  copies = inRegion('eu-west-1');
  parts = partsIn(directory, inRegion('eu-central-1'));
  releases = flat(parts);
});

const areas = service.areas.map((area) => areaFunction(area).name);

test('each area has a version, an alias that the API calls, and a right to be called', () => {
  for (const type of ['Version', 'Alias']) expect(ofType(releases, `AWS::Lambda::${type}`)).toHaveLength(areas.length);
  const called = ofType(releases, 'AWS::Lambda::Permission').map(
    ([, { Properties }]) => Object.keys(Properties.FunctionName)[0],
  );
  // the function itself, and its alias
  expect(called.toSorted()).toEqual([...areas.map(() => 'Fn::GetAtt'), ...areas.map(() => 'Ref')]);
  const body = JSON.stringify(only(parts.parent, 'AWS::ApiGatewayV2::Api').Properties.Body);
  const used = new Set(
    [...body.matchAll(/:function:exposure-main-production-([\w-]+):live\/invocations/g)].map(([, name]) => name),
  );
  expect([...used].sort()).toEqual(areas.toSorted());
  expect(body).not.toMatch(/:function:[\w-]+\/invocations/);
});

test('a release gets a tenth of the requests first, and an alarm of the API takes it back', () => {
  const groups = ofType(releases, 'AWS::CodeDeploy::DeploymentGroup').map(([, { Properties }]) => Properties);
  expect(groups).toHaveLength(areas.length);
  for (const group of groups) {
    expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
    expect(group.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: [{}, {}] });
    expect(group.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
  }
  const aliases = Object.values(releases.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Alias');
  for (const alias of aliases)
    expect(alias).toMatchObject({ UpdatePolicy: { CodeDeployLambdaAliasUpdate: { ApplicationName: {} } } });
});

test('all wings share one application of CodeDeploy and its role', () => {
  expect(ofType(parts.parent, 'AWS::CodeDeploy::Application')).toHaveLength(1);
  expect(ofType(releases, 'AWS::CodeDeploy::Application')).toHaveLength(1);
});

test('table and bucket are copied to another region each day, into a vault that outlives the stack', () => {
  const [rule] = only(parts.parent, 'AWS::Backup::BackupPlan').Properties.BackupPlan.BackupPlanRule;
  expect(rule.Lifecycle).toEqual({ DeleteAfterDays: 35 });
  expect(JSON.stringify(rule.CopyActions)).toContain(':backup:eu-west-1:');
  expect(JSON.stringify(rule.CopyActions)).toContain(':backup-vault:exposure-main-production"');
  const [[table = ''] = []] = ofType(parts.parent, 'AWS::DynamoDB::Table');
  const [[bucket = ''] = []] = ofType(parts.parent, 'AWS::S3::Bucket');
  const { Resources } = only(parts.parent, 'AWS::Backup::BackupSelection').Properties.BackupSelection;
  expect(Resources).toEqual([table, bucket].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })));
  const vault = only(copies, 'AWS::Backup::BackupVault');
  expect([vault.Properties.BackupVaultName, vault.DeletionPolicy]).toEqual([
    'exposure-main-production',
    'RetainExceptOnCreate',
  ]);
});
