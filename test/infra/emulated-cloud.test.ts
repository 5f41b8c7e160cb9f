import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { service } from '#infra/service.ts';
import { jobNames, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { matchGateway } from './gateway-match.ts';
import { assemble } from './synthesis.ts';

const runs = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const hasMoto = runs('python3', '-c', 'import boto3, moto');
const hasLint = runs('cfn-lint', '--version');
const hasSam = runs('sam', '--version');
if (!hasMoto) console.warn('Not tried: a stack in moto. Install it with pip install "moto[all]" boto3.');
if (!hasLint) console.warn('Not tried: cfn-lint. Install it with pip install cfn-lint.');
if (!hasSam) console.warn('Not tried: sam validate. Install it with pip install aws-sam-cli.');

let directory: string;
let file: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'emulated-'));
  assemble(service, join(directory, 'plain'), {});
  file = join(directory, 'plain/exposure-main-production-eu-central-1.template.json');
});

const templatesIn = (folder: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.template.json') ? [join(folder, name)] : []));
afterAll(() => rmSync(directory, { recursive: true }));

const Deployed = z.object({
  status: z.string(),
  functions: z.record(z.string(), z.record(z.string(), z.string())),
  tables: z.array(z.string()),
  buckets: z.array(z.string()),
  queues: z.array(z.string()),
  sources: z.record(z.string(), z.string()),
  routes: z.record(z.string(), z.string()),
});

describe.skipIf(!hasMoto)('a stack in an emulated cloud (moto)', () => {
  let deployed: z.infer<typeof Deployed>;
  beforeAll(() => {
    const { stdout, stderr } = spawnSync('python3', ['test/infra/moto/deploy.py', file], { encoding: 'utf8' });
    if (stdout === '') expect.fail(stderr);
    deployed = Deployed.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  });

  test('is created, with one table, and a worker on each queue', () => {
    expect(deployed).toMatchObject({ status: 'CREATE_COMPLETE', tables: [expect.any(String)] });
    const works = Object.entries(deployed.sources).map(([queue, worker]) => [queue.split('-').at(-1), worker]);
    expect(works.sort()).toEqual(
      jobNames
        .map((job) => [queueName(jobs[job]), expect.stringMatching(new RegExp(`:function:.*-${job}-worker$`))])
        .sort(),
    );
  });

  test('gives each function the table, the bucket and the queues that were made', () => {
    for (const settings of Object.values(deployed.functions)) {
      expect(deployed.tables).toContain(settings.TABLE_NAME);
      expect(deployed.buckets).toContain(settings.BUCKET_NAME);
      for (const job of jobNames)
        expect(deployed.queues).toContain(`${settings.QUEUE_URL_PREFIX}${queueName(jobs[job])}`);
    }
  });

  test('leads each operation to the function of its area', () => {
    const routes = Object.entries(deployed.routes).map(([key, uri]) => {
      const [verb = '', path = ''] = key.split(' ');
      const [, area = ''] = /\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
      return { method: verb.startsWith('X-AMAZON') ? 'ANY' : verb, path, area };
    });
    const lost = service.areas.flatMap(({ name, routes: operations }) =>
      Object.values(operations).filter(({ method, path }) => {
        const target = matchGateway(routes, method, path.replaceAll(/\{[^}]+\}/g, '0198a6a2'))?.area ?? '';
        return !(target in deployed.functions && target.endsWith(`:function:exposure-main-production-${name}`));
      }),
    );
    expect(lost).toEqual([]);
  });
});

const EVERY_SETTING = {
  baseUrl: 'https://api.acme.test',
  hostedZoneId: 'Z0123456789',
  consoleOrigins: ['https://console.acme.test'],
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0198a6a2-0000-7000-8000-000000000000',
  reservedConcurrency: { ingest: 20 },
  warmWriteUnits: 40_000,
  llmModel: 'eu.anthropic.claude-a',
  canary: '10 minutes',
  copyRegion: 'eu-west-1',
  scannerMinimumVersion: '2.0',
};

const FRONT = {
  baseUrl: 'https://api.acme.test',
  hostedZoneId: 'Z0123456789',
  certificateArn: EVERY_SETTING.certificateArn.replace('eu-central-1', 'us-east-1'),
  webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/acme/0198a6a2-0000-7000-8000-000000000000',
};

test.skipIf(!hasLint)('cfn-lint finds no error in the templates, without settings and with all of them', () => {
  const folders = ['plain', 'every', 'front'].map((name) => join(directory, name));
  const [plain = '', every = '', front = ''] = folders;
  assemble(service, every, EVERY_SETTING);
  assemble(service, front, FRONT);
  // the tenant's stack, one for each wing, that of the workers, and in another region that of the copies
  const wings = new Set(service.areas.map(({ wing }) => wing)).size;
  expect([plain, every].map((folder) => templatesIn(folder).length)).toEqual([wings + 2, wings + 3]);
  // a wing that has no part in the settings has the same template in each folder
  const distinct = new Map(folders.flatMap(templatesIn).map((one) => [readFileSync(one, 'utf8'), one]));
  const files = ['infra/web-acl.yaml', ...distinct.values()];
  const args = ['--format', 'parseable', '--ignore-checks', 'W', '--', ...files];
  const { stdout, stderr, status } = spawnSync('cfn-lint', args, { encoding: 'utf8' });
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});

test.skipIf(!hasSam)('sam validate --lint accepts the template on which sam local runs the functions', () => {
  const args = ['validate', '--lint', '--template', file, '--region', 'eu-central-1'];
  const { stdout, stderr, status } = spawnSync('sam', args, {
    encoding: 'utf8',
    env: { ...process.env, SAM_CLI_TELEMETRY: '0' },
  });
  expect({ status, said: `${stdout}${stderr}` }).toMatchObject({
    status: 0,
    said: expect.stringContaining('is a valid SAM Template'),
  });
});
