import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSystem, type TestOrganization } from '../../support/system.ts';
import { eventually, until } from '../../support/wait.ts';

/** The integrator as an operator starts it. */
const system = startSystem();
const command = fileURLToPath(new URL('../../../local/integrator.ts', import.meta.url));

let directory: string;
let running: { child: ChildProcess; exit: Promise<unknown[]> } | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'integrator-'));
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.exit;
  rmSync(directory, { recursive: true });
});

const inside = (name: string) => join(directory, name);

async function launch(organization: TestOrganization, ...more: string[]) {
  const linkToken = await organization.linkToken('integrator');
  const env = { ...process.env, LINK_TOKEN: linkToken };
  const child = spawn(
    process.execPath,
    [command, '--url', system.baseUrl, '--state-dir', inside('state'), '--name', 'reference', ...more],
    { env, stdio: 'ignore' },
  );
  running = { child, exit: once(child, 'close') };
  return running;
}

test('alerts, breaches, identities and an inventory that are dropped into its directory arrive, each file once; a wrong file harms none', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const alert = { externalId: 'edr-1', title: 'Credential dumping', severity: 'high', source: 'edr' };
  writeFileSync(inside('a.alerts.jsonl'), 'no JSON');
  writeFileSync(
    inside('b.alerts.jsonl'),
    `${JSON.stringify(alert)}\n${JSON.stringify({ ...alert, externalId: 'edr-2' })}\n`,
  );
  writeFileSync(inside('c.inventory.json'), JSON.stringify({ batchId: 'x' }));
  const { source: _source, ...withoutSource } = alert;
  writeFileSync(inside('g.alerts.jsonl'), `${JSON.stringify(alert)}\n${JSON.stringify(withoutSource)}\n`);
  const account = 'ada@acme.test';
  writeFileSync(inside('e.breaches.jsonl'), JSON.stringify({ externalId: 'f-1', breach: 'Forum 2026', account }));
  writeFileSync(inside('f.identities.jsonl'), JSON.stringify({ externalId: 'a', source: 'ldap', names: [account] }));
  const batch = { batchId: 'b-1', source: 'cmdb', assets: [{ type: 'host', value: 'db-01.example.com' }] };
  writeFileSync(inside('d.inventory.json'), JSON.stringify(batch));
  await launch(organization, '--drop', directory);
  await eventually(async () => {
    expect((await admin.ok('listAlerts', {})).data).toHaveLength(2);
    expect((await admin.ok('listAssets', {})).data.map(({ value }) => value)).toEqual(['db-01.example.com']);
  });
  await eventually(async () => {
    const { data } = await admin.ok('listIdentities', {});
    expect(data.map(({ names }) => names)).toEqual([[account]]);
    const named = { params: { id: data[0]?.id ?? '' } };
    expect((await admin.ok('listIdentityCredentials', named)).data).toMatchObject([{ tools: ['Forum 2026'] }]);
  });
  await eventually(() =>
    expect(readdirSync(inside('sent')).sort()).toEqual([
      'b.alerts.jsonl',
      'd.inventory.json',
      'e.breaches.jsonl',
      'f.identities.jsonl',
    ]),
  );
  // an item that is refused must not be lost in a file that looks sent
  const refused = ['a.alerts.jsonl', 'c.inventory.json', 'g.alerts.jsonl'];
  await eventually(() => expect(readdirSync(inside('refused')).sort()).toEqual(refused));
});

test('a response action runs the program that is set for it, once, also when the integrator is killed meanwhile', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const analyst = await organization.withRole('analyst');
  const [taken, script] = [inside('taken'), inside('isolate.mjs')];
  const isolate = `let text = '';
    for await (const part of process.stdin) text += part;
    (await import('node:fs')).appendFileSync(${JSON.stringify(taken)}, text + '\\n');
    if (text.includes('slow')) await new Promise((end) => setTimeout(end, 60000));
    console.log('isolated');`;
  writeFileSync(script, isolate);
  const programs = { isolate_host: { command: [process.execPath, script], targetTypes: ['host'] } };
  writeFileSync(inside('programs.json'), JSON.stringify(programs));
  const { id: incidentId } = await analyst.ok('createIncident', {
    body: { title: 'Shell', severity: 'high' } as never,
  });
  const ask = async (value: string) => {
    const body = { type: 'isolate_host', target: { type: 'host', value } };
    const { id } = await analyst.ok('createResponseAction', { params: { id: incidentId }, body: body as never });
    await admin.ok('approveResponseAction', { params: { id }, body: {} as never });
    return id;
  };
  const read = (id: string) => analyst.ok('getResponseAction', { params: { id } });
  const first = await ask('web-01');
  const { child, exit } = await launch(organization, '--programs', inside('programs.json'));
  expect(
    await until(
      () => read(first),
      ({ status }) => status === 'succeeded' || status === 'failed',
    ),
  ).toMatchObject({
    status: 'succeeded',
    result: { summary: 'isolated' },
  });
  const lines = () => (existsSync(taken) ? readFileSync(taken, 'utf8').trim().split('\n') : []);
  expect(lines().map((line) => JSON.parse(line).target)).toEqual([{ type: 'host', value: 'web-01' }]);
  child.kill('SIGKILL');
  await exit;
  const second = await ask('slow-01');
  const killed = await launch(organization, '--programs', inside('programs.json'));
  await eventually(() => expect(lines()).toHaveLength(2));
  killed.child.kill('SIGKILL');
  await killed.exit;
  await launch(organization, '--programs', inside('programs.json'));
  expect(
    await until(
      () => read(second),
      ({ status }) => status === 'failed',
    ),
  ).toMatchObject({
    error: { code: 'interrupted' },
  });
  expect(lines()).toHaveLength(2);
});
