import { afterAll, expect, test, vi } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { log } from '#shared/runtime/log.ts';
import { bucketTexts, tableText } from '#test/support/everything-stored.ts';
import { gitleaks, trufflehog } from '#test/support/secret-reports.ts';
import { testSystem } from '#test/support/system.ts';
import { follow } from '#test/support/vulnerabilities.ts';
import { finished } from '#test/support/wait.ts';

const logged: string[] = [];
for (const level of ['log', 'debug', 'info', 'warn', 'error'] as const)
  vi.spyOn(console, level).mockImplementation((...told) => void logged.push(...told.map(String)));

const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
log.setLogLevel('DEBUG');
afterAll(() => local.stop());
const system = testSystem(local.baseUrl, local.connections);

/** No line of a report has them but as the secret. */
const SECRETS = ['zq9-EXAMPLE-aa11bb22cc33dd44', 'zq9-EXAMPLE-ee55ff66gg77hh88', 'zq9-EXAMPLE-ii99jj00kk11ll22'];

test('the text of a secret is in no table, object, log or export once its report was read', async () => {
  const { admin, table } = await system.newOrganization();
  const [first = '', second = '', third = ''] = SECRETS;
  const reports = [
    gitleaks([{ secret: first, file: 'a.env' }]),
    trufflehog([{ secret: second, file: 'b.env', verified: true }]),
    JSON.stringify([
      { number: 7, state: 'open', secret_type: 'stripe_api_key', secret: third, validity: 'active', html_url: 'x' },
    ]),
  ];
  const formats = ['gitleaks', 'trufflehog', 'github-alerts'];
  for (const [n, content] of reports.entries()) {
    const body = { format: formats[n] ?? '', content, repository: 'https://git.example.test/acme/shop' };
    const { task } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
    expect(task).toMatchObject({ status: 'succeeded', result: { created: 1 } });
  }
  const cut = gitleaks([{ secret: SECRETS[0] ?? '', file: 'c.env' }]).slice(0, -2);
  const body = { format: 'gitleaks', content: cut };
  const { task: broken } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
  expect(broken).toMatchObject({ status: 'failed' });
  await follow(local.connections, table);
  expect((await admin.ok('listExposedCredentials', {})).totalCount).toBe(3);
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
  };
  for (const secret of SECRETS) {
    for (const [place, text] of Object.entries(places))
      expect({ place, has: text.includes(secret) }).toEqual({ place, has: false });
    expect([...objects].filter(([, text]) => text.includes(secret)).map(([key]) => key)).toEqual([]);
  }
});
