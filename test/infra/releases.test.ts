import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areaFunction, service } from '#infra/service.ts';
import { assemble, ofType, only, type Template } from './synthesis.ts';

const directory = mkdtempSync(join(tmpdir(), 'releases-'));
afterAll(() => rmSync(directory, { recursive: true }));
let main: Template;
let releases: Template;
let copies: Template;
beforeAll(() => {
  const all = assemble(service, directory, { canary: '10 minutes', copyRegion: 'eu-west-1' });
  const inRegion = (region: string) => all.find((one) => one.region === region)?.template ?? expect.fail(region);
  copies = inRegion('eu-west-1');
  main = inRegion('eu-central-1');
  const nested = only(main, 'AWS::CloudFormation::Stack').Metadata?.['aws:asset:path'];
  releases = JSON.parse(readFileSync(join(directory, String(nested)), 'utf8'));
});

const areas = service.areas.map((area) => areaFunction(area).name);

test('each area has a version, an alias that the API calls, and a right to be called', () => {
  for (const type of ['Version', 'Alias', 'Permission'])
    expect(ofType(releases, `AWS::Lambda::${type}`)).toHaveLength(areas.length);
  const body = JSON.stringify(only(main, 'AWS::ApiGatewayV2::Api').Properties.Body);
  const called = new Set(
    [...body.matchAll(/:function:exposure-main-production-([\w-]+):live\/invocations/g)].map(([, name]) => name),
  );
  expect([...called].sort()).toEqual(areas.toSorted());
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

test('no stack comes near the 500 resources of CloudFormation', () => {
  for (const template of [main, releases]) expect(Object.keys(template.Resources).length).toBeLessThan(450);
});

test('table and bucket are copied to another region each day, into a vault that outlives the stack', () => {
  const [rule] = only(main, 'AWS::Backup::BackupPlan').Properties.BackupPlan.BackupPlanRule;
  expect(rule.Lifecycle).toEqual({ DeleteAfterDays: 35 });
  expect(JSON.stringify(rule.CopyActions)).toContain(':backup:eu-west-1:');
  expect(JSON.stringify(rule.CopyActions)).toContain(':backup-vault:exposure-main-production"');
  const [[table = ''] = []] = ofType(main, 'AWS::DynamoDB::Table');
  const [[bucket = ''] = []] = ofType(main, 'AWS::S3::Bucket');
  const { Resources } = only(main, 'AWS::Backup::BackupSelection').Properties.BackupSelection;
  expect(Resources).toEqual([table, bucket].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })));
  const vault = only(copies, 'AWS::Backup::BackupVault');
  expect([vault.Properties.BackupVaultName, vault.DeletionPolicy]).toEqual([
    'exposure-main-production',
    'RetainExceptOnCreate',
  ]);
});
