import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { users } from '#shared/people/user.ts';
import { hasTerminals, startCli } from '../support/cli.ts';
import { startServer } from '../support/code-hosts/server.ts';
import { signInDirectly } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';
import { eventually } from '../support/wait.ts';
import { zipped } from '../support/zipped.ts';

const system = startSystem();
const cli = startCli();
let env: Record<string, string | undefined>;
let organization: Awaited<ReturnType<typeof system.newOrganization>>;

beforeAll(async () => {
  organization = await system.newOrganization();
  const { access_token } = await signedIn();
  // an access token works wherever a key does, and an administrator may do everything below
  env = { EXPOSURE_URL: system.baseUrl, EXPOSURE_KEY: access_token };
});

async function signedIn(): Promise<{ access_token: string }> {
  const { admin } = organization;
  const { clientId, clientSecret } = await admin.ok('createServiceAccount', { body: { name: 'ci', role: 'admin' } });
  const body = { grant_type: 'client_credentials' as const, client_id: clientId, client_secret: clientSecret ?? '' };
  return (await system.client().ok('issueToken', { body })) as { access_token: string };
}

const run = (...args: string[]) => cli.run(args, { env });
const tag = (name: string) => ({ body: { name, condition: `hostname:${name}`, tags: [name] } });

test('api calls any operation, by fields or by a body, and pages through lists', async () => {
  const fields = (name: string) => ['-f', `name=${name}`, '-f', 'filter=kev:true', '-f', 'entity=finding'];
  for (const name of ['a', 'b', 'c']) await run('api', 'POST', 'saved-filters', ...fields(name));
  const made = await run('api', 'post', '/api/v1/saved-filters', ...fields('mine'));
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).toMatchObject({ name: 'mine' });
  const { id } = JSON.parse(made.stdout);
  const changed = await cli.run(['api', 'PATCH', `/api/v1/saved-filters/${id}`, '--input', '-'], {
    env,
    input: '{"name":"ours"}',
  });
  expect(JSON.parse(changed.stdout)).toMatchObject({ id, name: 'ours' });
  const all = await run('api', 'GET', 'saved-filters', '-f', 'paginateSize=2', '--all');
  const records: { name: string }[] = JSON.parse(all.stdout);
  expect(records.map(({ name }) => name)).toEqual(['ours', 'c', 'b', 'a']);
  expect(await run('api', 'DELETE', `saved-filters/${id}`)).toMatchObject({ code: 0 });
});

test.each([
  [['api', 'FETCH', 'findings'], 'FETCH is no method'],
  [['api', 'GET', 'https://evil.example/x'], 'is no path'],
  [['api', 'GET', '//evil.example/x'], 'is no path'],
  [['api', 'GET', 'findings', '-H', 'Authorization: Bearer exk_secret'], 'other users of the machine see arguments'],
  [['api', 'GET', 'findings', '--input', 'x'], 'has no body'],
  [['api', 'POST', 'tasks', '-f', 'a:=nope'], 'is no JSON'],
  [['api', 'GET', 'filters/fields', '--all'], 'no list with pages'],
  [['api', 'GET', 'findings/nothing'], 'exposure: '],
])('%j is refused before or by the service, with a sentence', async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(stderr).not.toContain('exk_secret');
});

const RULE = (id: string, title = 'Reconnaissance') => `title: ${title}
id: ${id}
logsource: {category: process_creation, product: windows}
detection:
  selection: {Image|endswith: '\\net.exe'}
  condition: selection
level: low
`;

test('detections are checked, tried and pushed from a folder; a second push changes only what is new', async () => {
  const file = join(cli.home, 'rule.yml');
  writeFileSync(file, RULE('6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001'));
  const event = { category: 'process_creation', product: 'windows', host: 'pc-7', fields: { Image: 'C:\\x\\net.exe' } };
  writeFileSync(
    join(cli.home, 'events.jsonl'),
    `${JSON.stringify(event)}\n${JSON.stringify({ ...event, fields: {} })}\n`,
  );
  expect(await run('detections', 'lint', cli.home)).toMatchObject({ code: 0, stdout: '' });
  const tried = await run('detections', 'test', 'rule.yml', '--events', 'events.jsonl', '--expect', '1');
  expect(tried).toMatchObject({ code: 0, stdout: 'rule.yml: matches 1 of 2, 1 alert\n' });
  const unexpected = await run('detections', 'test', 'rule.yml', '--events', 'events.jsonl', '--expect', '2');
  expect(unexpected).toMatchObject({ code: 1 });
  writeFileSync(join(cli.home, 'line.jsonl'), JSON.stringify({ message: 'x' }));
  const elsewhere = await run('detections', 'test', 'rule.yml', '--events', 'line.jsonl');
  expect(elsewhere.stderr).toContain('send events with "category": "process_creation", "product": "windows".');
  const push = async (...more: string[]) =>
    JSON.parse((await run('detections', 'push', 'rule.yml', '--json', ...more)).stdout);
  const rules = async () => (await organization.admin.ok('listDetectionRules', { query: { origin: 'custom' } })).data;
  expect(await push('--dry-run')).toMatchObject([{ done: 'created' }]);
  expect(await rules()).toEqual([]);
  expect(await push()).toEqual({ created: 1, updated: 0, unchanged: 0, refused: [], refusedCount: 0 });
  expect(await rules()).toMatchObject([{ title: 'Reconnaissance' }]);
  expect(await push('--dry-run')).toEqual([{ file: 'rule.yml', title: 'Reconnaissance', done: 'unchanged' }]);
  expect(await push()).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  writeFileSync(file, RULE('6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001', 'Another title'));
  expect(await push('--dry-run')).toMatchObject([{ done: 'changed' }]);
  expect(await push()).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
  expect(await rules()).toMatchObject([{ title: 'Another title', enabled: true }]);
});

test('a folder with a mistake is not pushed at all, and the mistake has its file and place', async () => {
  writeFileSync(join(cli.home, 'good.yaml'), RULE('6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0002', 'Good'));
  writeFileSync(join(cli.home, 'wrong.yaml'), 'title: x\n');
  writeFileSync(join(cli.home, 'empty.yaml'), '');
  const lint = await run('detections', 'lint', 'good.yaml', 'wrong.yaml', 'empty.yaml');
  expect(lint.code).toBe(1);
  expect(lint.stdout).toMatch(/^empty\.yaml: content: .+\nwrong\.yaml: detection: must be a map\n$/);
  expect(await run('detections', 'push', 'good.yaml', 'wrong.yaml')).toMatchObject({ code: 1, stdout: '' });
  const titles = (await organization.admin.ok('listDetectionRules', { query: { origin: 'custom' } })).data;
  expect(titles.map(({ title }) => title)).not.toContain('Good');
});

test('an archive is pushed in the order in which its rules count each other, and without its mistakes if asked', async () => {
  const [base, over] = [7, 8].map((n) => `6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f000${n}`);
  const counting = `title: Many\nid: ${over}
correlation: { type: event_count, rules: [${base}], group-by: [host], timespan: 5m, condition: { gte: 3 } }\n`;
  const files = { 'rules/a-counts.yml': counting, 'rules/base.yml': RULE(base ?? ''), 'README.md': '# Rules' };
  writeFileSync(join(cli.home, 'pack.zip'), zipped(files));
  const wrong = { 'rules/wrong.yml': `title: x\nid: ${over}9\n`, 'rules/nameless.yml': RULE('').replace(/id: \n/, '') };
  writeFileSync(join(cli.home, 'wrong.zip'), zipped({ ...files, ...wrong }));
  const push = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('detections', 'push', ...args, '--json');
    return { code, stderr, done: stdout && JSON.parse(stdout) };
  };
  expect(await push('wrong.zip')).toMatchObject({ code: 1, done: '' });
  expect(await push('pack.zip', '--dry-run')).toMatchObject({
    code: 0,
    done: [{ file: 'pack.zip/rules/base.yml', done: 'created' }],
  });
  expect(await push('wrong.zip', '--skip-refused')).toEqual({
    code: 1,
    stderr: expect.stringMatching(/wrong.zip\/rules\/wrong.yml: .*detection: must be a map/),
    done: {
      created: 2,
      updated: 0,
      unchanged: 0,
      refusedCount: 2,
      refused: expect.arrayContaining([
        { file: 'wrong.zip/rules/nameless.yml', message: expect.stringMatching(/^id: must be a text/) },
      ]),
    },
  });
  expect(await push('pack.zip')).toMatchObject({ code: 0, done: { created: 0, unchanged: 2, refused: [] } });
  writeFileSync(join(cli.home, 'cut.zip'), zipped(files).subarray(0, 200));
  expect(await push('cut.zip')).toMatchObject({ code: 2, stderr: expect.stringContaining('cut.zip cannot be read') });
});

test('a link token goes to standard output alone, or to a file that only its owner reads', async () => {
  const printed = await run('link-token', 'create', '--kind', 'scanner', '--max-uses', '2', '--expires', '12h');
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^exl_\S+\n$/) });
  expect(printed.stderr).not.toContain('exl_');
  const kept = await run('link-token', 'create', '--kind', 'agent', '--out', 'token');
  const file = join(cli.home, 'token');
  expect({ ...kept, mode: statSync(file).mode & 0o777, text: readFileSync(file, 'utf8') }).toMatchObject({
    code: 0,
    stdout: '',
    mode: 0o600,
    text: expect.stringMatching(/^exl_\S+\n$/),
  });
  expect(await run('link-token', 'create', '--kind', 'agent', '--out', 'token')).toMatchObject({ code: 2 });
  const listed = JSON.parse((await run('link-token', 'list', '--json')).stdout);
  expect(listed).toMatchObject([
    { kind: 'agent', maxUses: 1 },
    { kind: 'scanner', maxUses: 2 },
  ]);
  expect(await run('link-token', 'revoke', listed[0].id)).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('link-token', 'list', '--json')).stdout)).toMatchObject([{ status: 'revoked' }, {}]);
});

test('events come once each, also over several runs with a kept place', async () => {
  const tail = async () =>
    (await run('events', 'tail', '--entity', 'asset-tag-rule', '--since', '0', '--cursor', 'place', '--once')).stdout;
  await organization.admin.ok('createAssetTagRule', tag('one'));
  const idsIn = (text: string) =>
    text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
  await expect.poll(async () => idsIn(await tail()).length).toBe(1);
  expect(await tail()).toBe('');
  const { id } = await organization.admin.ok('createAssetTagRule', tag('two'));
  const later: string[] = [];
  await expect
    .poll(async () => {
      later.push(...idsIn(await tail()));
      return later;
    })
    .toEqual([id]);
});

test.runIf(hasTerminals)('a terminal gets a change as a line of its width', async () => {
  const args = ['events', 'tail', '--since', '0', '--once', '--entity', 'detection-rule'];
  const { code, screen } = await cli.inTerminal(args, { env: { ...env, NO_COLOR: '1' }, columns: 80 });
  const lines = screen.trimEnd().split('\n');
  expect({ code, longest: Math.max(...lines.map((line) => line.length)) <= 80 }).toEqual({ code: 0, longest: true });
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}created {2}detection-rule /);
});

test('a program on this machine gets the events as an endpoint does, again until it takes them', async () => {
  const receiver = await startServer(() => ({ status: 200 }));
  receiver.fail({ status: 500 });
  try {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await organization.admin.ok('createZone', { body: { name: 'listened', cidrs: [] } });
    const end = new AbortController();
    const args = ['webhooks', 'listen', '--forward', receiver.url, '--types', 'zone.*', '--since', '0'];
    const asked = { env: { ...env, EXPOSURE_WEBHOOK_SECRET: secret }, signal: end.signal };
    const listening = cli.run(args, asked).catch(() => undefined);
    await eventually(() => expect(receiver.asked).toHaveLength(2));
    end.abort();
    await listening;
    const [first, again] = receiver.asked;
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(
      new Webhook(secret).verify(JSON.stringify(again?.body), again?.headers as Record<string, string>),
    ).toMatchObject({ type: 'zone.created' });
  } finally {
    await receiver.stop();
  }
  const elsewhere = await run('webhooks', 'listen', '--forward', 'https://hooks.example.com/');
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('an address of this machine') });
});

test('an endpoint is added, tried, gets another secret and what was sent again, and its deliveries are listed', async () => {
  const receiver = await startServer(() => ({ status: 200 }));
  try {
    const added = await run('webhooks', 'add', `${receiver.url}/hook`, '--types', 'zone.*', '--name', 'Hooks');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
    expect(added.stderr).not.toContain('whsec_');
    const [{ id }] = JSON.parse((await run('webhooks', 'list', '--json')).stdout);
    expect(await run('webhooks', 'test', id)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('answers 200'),
    });
    receiver.fail({ status: 500 });
    expect(await run('webhooks', 'test', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('answers 500'),
    });
    const { headers, body } = receiver.asked[0] ?? {};
    new Webhook(added.stdout.trim()).verify(JSON.stringify(body), headers as Record<string, string>);
    const rotated = await run('webhooks', 'rotate', id);
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
    expect(rotated.stdout).not.toBe(added.stdout);
    await organization.admin.ok('createZone', { body: { name: 'simulated', cidrs: [] } });
    await eventually(async () =>
      expect(await run('deliveries', 'simulate', id)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/(simulated|sent) +webhook +zone.created/),
      }),
    );
    expect(await run('webhooks', 'again', id, '0')).toMatchObject({ code: 0 });
    expect(await run('deliveries', 'recover', id, '--since', '2026-01-15T08:00:00Z')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/\d+ sent again/),
    });
    expect(await run('webhooks', 'remove', id)).toMatchObject({ code: 0 });
    expect(JSON.parse((await run('webhooks', 'list', '--json')).stdout)).toEqual([]);
  } finally {
    await receiver.stop();
  }
});

test('a person chooses what notifies them, stops it and removes it', async () => {
  const { id: userId } = await organization.person('viewer');
  const { personId = '' } = await organization.table.get(users, userId);
  const key = await signInDirectly(system.connections, system.client(), personId);
  const ask = (...args: string[]) => cli.run(['notifications', ...args], { env: { ...env, EXPOSURE_KEY: key } });
  const digest = ['--when', 'daily', '--at', '07:30', '--quiet-hours', '20:00-07:00', '--by', 'email,inbox'];
  const wanted = ['--types', 'finding.created', '--floor', 'high', '--filter', 'kev:true', ...digest];
  const made = JSON.parse((await ask('subscribe', ...wanted, '--json')).stdout);
  expect(made).toMatchObject({
    ...{ name: 'finding.created', types: ['finding.created'], severityFloor: 'high', channels: ['email', 'inbox'] },
    matching: { entity: 'finding', filter: 'kev:true' },
    timing: { when: 'daily', at: '07:30' },
    quietHours: { from: '20:00', to: '07:00' },
  });
  expect(await ask('subscribe', '--types', 'finding.created', '--quiet-hours', 'at night')).toMatchObject({ code: 2 });
  expect(await ask('stop', made.id)).toMatchObject({ code: 0 });
  const listed = await ask('subscriptions');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/finding.created.*daily/) });
  expect(JSON.parse((await ask('subscriptions', '--json')).stdout)[0]).toMatchObject({ id: made.id, stopped: true });
  expect(await ask('resume', made.id)).toMatchObject({ code: 0 });
  expect(await ask('remove', made.id)).toMatchObject({ code: 0 });
});
