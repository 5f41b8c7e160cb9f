import { createHash } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { bucketTexts, tableText } from '../support/everything-stored.ts';
import { bandit, codeScan, gitleaks, semgrep, trufflehog } from '../support/secret-reports.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const logged: string[] = [];
for (const level of ['log', 'debug', 'info', 'warn', 'error'] as const)
  vi.spyOn(console, level).mockImplementation((...told) => void logged.push(...told.map(String)));

const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
log.setLogLevel('DEBUG');
afterAll(() => local.stop());
const system = testSystem(local.baseUrl, local.connections);

/** The messages of all queues: a dead letter is one of them. */
const messages: string[] = [];
const { queues } = local.connections;
const send = queues.send;
queues.send = (...args) => {
  messages.push(JSON.stringify(args));
  return send(...args);
};

/** No line of a report has them but as the secret. */
const SECRETS = Array.from({ length: 8 }, (_, n) => `zq9-EXAMPLE-${n}a1bb22cc33dd4${n}`);

async function uploaded({ admin }: TestOrganization, content: string): Promise<void> {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const body = { sizeBytes: bytes.length, sha256, name: 'report.json' };
  const { uploadId, parts } = await admin.ok('createUpload', { body });
  for (const { url, headers } of parts) await (await fetch(url, { method: 'PUT', headers, body: bytes })).arrayBuffer();
  const report = { format: 'gitleaks', uploadId, repository: 'https://git.example.test/acme/shop' };
  const { task } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: report });
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 1 } });
}

async function toldByBreach({ machine }: TestOrganization, secret: string): Promise<void> {
  const { client } = await machine('integrator', { name: 'watch' });
  const known = { externalId: 'a', breach: 'Forum 2026', account: 'ada@acme.test', secret };
  const breaches = [known, { ...known, externalId: 'b', verified: 'no boolean' }];
  const { results } = await client.ok('sendBreaches', { body: { breaches } });
  expect(results).toMatchObject([{ accepted: true }, { accepted: false }]);
}

test('the text of a secret is in no table, object, log or export once its report was read', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const [first = '', second = '', third = '', ...quoted] = SECRETS;
  const [inCode = '', inConfig = '', inSarif = '', inUpload = '', inBreach = ''] = quoted;
  const reports = [
    gitleaks([{ secret: first, file: 'a.env' }]),
    trufflehog([{ secret: second, file: 'b.env', verified: true }]),
    JSON.stringify([
      { number: 7, state: 'open', secret_type: 'stripe_api_key', secret: third, validity: 'active', html_url: 'x' },
    ]),
    ...[bandit(inCode), semgrep(inConfig), codeScan(inSarif)],
  ];
  const formats = ['gitleaks', 'trufflehog', 'github-alerts', 'bandit', 'semgrep', 'sarif'];
  for (const [n, content] of reports.entries()) {
    const body = { format: formats[n] ?? '', content, repository: 'https://git.example.test/acme/shop' };
    const { task } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
    expect(task).toMatchObject({ status: 'succeeded', result: { created: 1 } });
  }
  const cut = gitleaks([{ secret: SECRETS[0] ?? '', file: 'c.env' }]).slice(0, -2);
  const body = { format: 'gitleaks', content: cut };
  const { task: broken } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
  expect(broken).toMatchObject({ status: 'failed' });
  await uploaded(organization, gitleaks([{ secret: inUpload, file: 'd.env' }]));
  await toldByBreach(organization, inBreach);
  await follow({ connections: local.connections, table });
  expect((await admin.ok('listExposedCredentials', {})).totalCount).toBe(5);
  const exports: string[] = [];
  for (const format of ['csv', 'jsonl', 'sarif'] as const) {
    const { taskId } = await admin.ok('exportFindings', { body: { format } });
    await finished(admin, taskId);
    const { file } = await admin.ok('getFindingsExport', { params: { taskId } });
    exports.push(await (await fetch(file?.url ?? '')).text());
  }
  const answers = JSON.stringify([await admin.ok('listChanges', {}), await admin.ok('listFindings', {})]);
  expect(logged.join('')).toContain('/api/v1/findings/import');
  const objects = await bucketTexts(local.connections);
  const places = {
    table: await tableText(local.connections),
    log: logged.join(''),
    exports: exports.join(''),
    answers,
    messages: messages.join(''),
  };
  expect(places.messages).toContain('ingest');
  for (const secret of SECRETS) {
    for (const [place, text] of Object.entries(places))
      expect({ place, has: text.includes(secret) }).toEqual({ place, has: false });
    expect([...objects].filter(([, text]) => text.includes(secret)).map(([key]) => key)).toEqual([]);
  }
});
