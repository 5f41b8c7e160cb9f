import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeApp } from '#infra/app.ts';
import { type Template as Compared, parseTemplate } from '#infra/cloudformation.ts';
import { needsAliases, needsMoves, unaskedChanges } from '#infra/deploy-check.ts';
import { fixedChanges } from '#infra/fixed-values.ts';
import { callsAliases } from '#infra/releases.ts';
import { parseTenant } from '#infra/tenants.ts';
import { type FakeStack, startCloudFormation } from '../support/cloudformation.ts';
import { plainEnvironment } from '../support/plain-environment.ts';
import { fakeAreas } from './fake-service.ts';
import { assembly, deployed, ofType, partsIn, synthesise, type Template } from './synthesis.ts';

const small = { areas: [], workers: [], schedules: [] };
const two = { ...small, areas: fakeAreas(20) };
const emptySource = { service: small, directory: '.' };
const template = (settings = {}): Compared => parseTemplate(synthesise(small, settings));
const outputs = (next: Compared, running = template()) =>
  fixedChanges(running, next, 'eu-central-1').map(({ output }) => output);

describe('a deployment changes neither the data nor the address unasked', () => {
  test('the same settings change nothing, and neither does a harmless one', () => {
    expect(outputs(template({ logDays: 7, requestBurst: 5, warmWriteUnits: 5000 }))).toEqual([]);
  });

  test('a restored table is another table', () => {
    expect(outputs(template({ restoredTable: 'exposure-restored' }))).toEqual(['TableName']);
  });

  test('another base URL is another issuer', () => {
    expect(outputs(template({ baseUrl: 'https://api.acme.test' }))).toEqual(['TokenIssuer', 'BaseUrl']);
    const running = template({ baseUrl: 'https://api.acme.test' });
    expect(outputs(template({ baseUrl: 'https://api.acme.test' }), running)).toEqual([]);
    expect(outputs(template(), running)).toEqual(['TokenIssuer', 'BaseUrl']);
  });

  test('a table that CloudFormation would replace is reported, although its name in the template stays', () => {
    const next = template();
    for (const { Type, Properties } of Object.values(next.Resources))
      if (Type === 'AWS::DynamoDB::Table') Properties.KeySchema = [];
    expect(fixedChanges(template(), next, 'eu-central-1')).toEqual([
      { output: 'TableName', change: expect.stringMatching(/^because StorageTable\w+ would be replaced$/) },
    ]);
    for (const [name, { Type }] of Object.entries(next.Resources))
      if (Type === 'AWS::S3::Bucket') delete next.Resources[name];
    expect(outputs(next)).toEqual(['TableName', 'BucketName']);
  });

  test('a template for any region, as earlier releases wrote them, is the same in its region', () => {
    const running = template();
    const { BaseUrl } = running.Outputs;
    const anyRegion = JSON.parse(
      JSON.stringify(BaseUrl).replace('.execute-api.eu-central-1.', '.execute-api.",{"Ref":"AWS::Region"},".'),
    );
    expect(anyRegion).not.toEqual(BaseUrl);
    expect(outputs(template(), { ...running, Outputs: { ...running.Outputs, BaseUrl: anyRegion } })).toEqual([]);
  });
});

describe('npm run deploy', () => {
  const run = promisify(execFile);
  const stacks: Record<string, FakeStack> = {};
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let cloudFormation: { url: string; stop(): void };

  beforeAll(async () => {
    cloudFormation = await startCloudFormation(stacks);
    directory = mkdtempSync(join(tmpdir(), 'deploy-'));
    const cdk = join(directory, 'cdk');
    writeFileSync(cdk, `#!/bin/sh\nfor word in "$@"; do echo "$word" >>"${directory}/called"; done\n`);
    chmodSync(cdk, 0o755);
    environment = {
      ...plainEnvironment,
      PATH: `${directory}:${process.env.PATH}`,
      CDK_OUTDIR: join(directory, 'cdk.out'),
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    };
  });
  afterAll(() => {
    cloudFormation.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const tenants = (settings: Record<string, unknown>) => {
    const home = mkdtempSync(join(directory, 'tenants-'));
    writeFileSync(join(home, 'acme.eu-west-1.json'), JSON.stringify(settings));
    return home;
  };
  const deploy = (settings: Record<string, unknown>, ...args: string[]) =>
    run(process.execPath, ['infra/deploy.ts', '--directory', tenants(settings), ...args], { env: environment });

  test('refuses to move a running stack to another address or table', async () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    stacks['eu-west-1/exposure-acme-production'] = { template: template() };
    const next = parseTenant(
      'acme.eu-west-1.json',
      '{ "alarmEmail": "ops@acme.test", "baseUrl": "https://api.acme.test", "restoredTable": "restored" }',
    );
    const [stack] = makeApp(emptySource, () => [next]).synth().stacks;
    if (!stack) expect.fail('no stack');
    expect(await unaskedChanges(stack, ['TokenIssuer', 'BaseUrl'])).toEqual([
      expect.stringMatching(
        /^exposure-acme-production: TableName would change from \S+ to restored\. Add --allow-change TableName if/,
      ),
    ]);
    expect(await unaskedChanges(stack, ['TokenIssuer'])).toHaveLength(2);
    delete stacks['eu-west-1/exposure-acme-production'];
    expect(await unaskedChanges(stack, [])).toEqual([]);
  });

  test('deploys nothing without a reader of the alarms, and neither without naming tenants', async () => {
    await expect(deploy({ alarmEmail: 'alarms@example.com' }, '--all')).rejects.toThrow(/someone reads\n.*Nothing was/);
    await expect(deploy({ alarmEmail: 'ops@acme.test' })).rejects.toThrow(/usage/);
    expect(() => readFileSync(join(directory, 'called'))).toThrow('ENOENT');
  });

  test('makes the aliases of a running stack before the API calls them', async () => {
    const name = 'eu-central-1/exposure-acme-production';
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const next = deployed({ canary: '5 minutes' }, 'acme');
    stacks[name] = { template: synthesise(two, {}, 'acme') };
    const [first] = await needsAliases(next);
    expect(first).toMatchObject({ canary: '5 minutes', makesAliases: true });
    expect([callsAliases(next), first && callsAliases(first)]).toEqual([true, false]);
    stacks[name] = { template: synthesise(two, { canary: '5 minutes' }, 'acme') };
    expect(await needsAliases(next)).toEqual([]);
    delete stacks[name];
    expect(await needsAliases(next)).toEqual([]);
  });

  test('removes functions from their former stack before another stack makes them under the same names', async () => {
    const name = 'eu-central-1/exposure-acme-production';
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const next = deployed({}, 'acme');
    const outdir = join(directory, 'next');
    const made = assembly(two, outdir, next);
    const leftOut = async () => (await needsMoves(next, made)).map(({ leavesOut }) => leavesOut);
    expect(await leftOut()).toEqual([]);
    // a stack of release 1.8, without nested stacks
    stacks[name] = { template: synthesise(two, {}, 'acme') };
    expect(await leftOut()).toEqual([['area-0', 'area-1']]);
    const [step] = await needsMoves(next, made);
    const [stack] = assembly(two, join(directory, 'step'), step ?? expect.fail('no step')).stacks;
    const { parent, nested } = partsIn(outdir, made.stacks[0]?.template);
    const routes = (from: Template) => ofType(from, 'AWS::ApiGatewayV2::Api').map(([, api]) => api.Properties.Body);
    expect(ofType(stack?.template, 'AWS::Lambda::Function')).toEqual([]);
    expect(ofType(stack?.template, 'AWS::DynamoDB::Table')).toEqual(ofType(parent, 'AWS::DynamoDB::Table'));
    expect(routes(stack?.template)).toEqual(routes(parent));
    stacks[name] = { template: stack?.template };
    expect(await leftOut()).toEqual([]);
    stacks[name] = { template: parent, nested };
    expect(await leftOut()).toEqual([]);
    // another wing
    stacks[name] = { template: parent, nested: { formerFunctions: nested.fakeFunctions } };
    expect(await leftOut()).toEqual([['area-0', 'area-1']]);
    delete stacks[name];
  });

  test("hands the stacks and further options to the CDK's command", async () => {
    const allowed = ['TokenIssuer', 'BaseUrl'].flatMap((name) => ['--allow-change', name]);
    stacks['eu-west-1/exposure-acme-production'] = { template: template() };
    const settings = { alarmEmail: 'ops@acme.test', baseUrl: 'https://api.acme.test' };
    await deploy(settings, '--tenant', 'acme', ...allowed, '--', '--require-approval', 'never');
    const called = readFileSync(join(directory, 'called'), 'utf8').trim().split('\n');
    const stack = 'exposure-acme-production-eu-west-1';
    expect(called).toEqual(['deploy', '--app', join(directory, 'cdk.out'), stack, '--require-approval', 'never']);
  });
});
