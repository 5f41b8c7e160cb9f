import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { zipped } from '../support/zipped.ts';

const system = startSystem();

type Person = Awaited<ReturnType<TestOrganization['withRole']>>;

async function start() {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  return { organization, analyst, own: () => ownRules(analyst) };
}

const ownRules = async (analyst: Person) =>
  (await analyst.ok('listDetectionRules', { query: { origin: 'custom' } })).data;

async function upload(analyst: Person, content: Buffer | string, name = 'pack.zip'): Promise<string> {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { uploadId, parts } = await analyst.ok('createUpload', { body: { sizeBytes: bytes.length, sha256, name } });
  const [part] = parts;
  if (!part) throw new Error('no part');
  const answer = await fetch(part.url, { method: 'PUT', headers: part.headers, body: new Uint8Array(bytes) });
  expect(answer.status).toBe(200);
  return uploadId;
}

async function push(analyst: Person, content: Buffer | string, { enabled = true, name = 'pack.zip' } = {}) {
  const body = { uploadId: await upload(analyst, content, name), enabled };
  const { task } = await analyst.ok('importDetectionRules', { query: { waitSeconds: 20 }, body });
  return task;
}

const rule = (n: number, image = `tool-${n}.exe`) => `title: Rule ${n}
id: pack-${n}
name: rule_${n}
logsource: { category: process_creation, product: windows }
detection:
  selection: { Image|endswith: '${image}' }
  condition: selection
level: low
`;

const counting = (n: number, rules: string[], more = '') => `title: Correlation ${n}
id: correlation-${n}
${more}correlation:
  type: event_count
  rules: [${rules.join(', ')}]
  group-by: [host]
  timespan: 5m
  condition: { gte: 3 }
level: high
`;

test('an archive creates rules, changes those with another text, leaves others alone, and says which are refused', async () => {
  const { organization, analyst, own } = await start();
  const files = {
    'sigma/a/one.yml': rule(1),
    'sigma/a/two.yaml': rule(2),
    'sigma/counted.yml': counting(1, ['rule_1', 'rule_2']),
    'sigma/chain/whole.yml': `${counting(2, ['rule_9'])}---\n${rule(9)}`,
    'sigma/wrong.yml': rule(3).replace('condition: selection', 'condition: elsewhere'),
    'sigma/same.yml': rule(1, 'other.exe'),
    'sigma/no-id.yml': rule(4).replace('id: pack-4\n', ''),
    'sigma/._one.yml': 'not a rule',
    'README.md': 'not a rule',
  };
  const first = await push(analyst, zipped(files), { enabled: false });
  expect(first).toMatchObject({ status: 'succeeded', operation: 'import_detection_rules' });
  expect(first?.result).toEqual({
    created: 4,
    updated: 0,
    unchanged: 0,
    refused: [
      { file: 'sigma/same.yml', message: 'id: is the id of sigma/a/one.yml, too' },
      { file: 'sigma/no-id.yml', message: expect.stringContaining('id: must be a text') },
      { file: 'sigma/wrong.yml', message: expect.stringContaining('content.detection.condition: ') },
    ],
    refusedCount: 3,
  });
  const rules = await own();
  expect(rules.map(({ title, enabled }) => [title, enabled]).sort()).toEqual([
    ['Correlation 1', false],
    ['Correlation 2', false],
    ['Rule 1', false],
    ['Rule 2', false],
  ]);
  const idOf = (title: string) => rules.find((one) => one.title === title)?.id ?? '';
  expect(rules.find(({ title }) => title === 'Correlation 1')?.counts).toEqual([idOf('Rule 1'), idOf('Rule 2')]);

  await analyst.ok('updateDetectionRule', { params: { id: idOf('Rule 2') }, body: { enabled: true } });
  const changed = { ...files, 'sigma/a/two.yaml': rule(2, 'renamed.exe'), 'sigma/new.yml': rule(5) };
  const second = await push(analyst, zipped(changed));
  expect(second?.result).toMatchObject({ created: 1, updated: 1, unchanged: 3, refusedCount: 3 });
  const two = await analyst.ok('getDetectionRule', { params: { id: idOf('Rule 2') } });
  expect(two).toMatchObject({ content: rule(2, 'renamed.exe'), enabled: true, version: 3 });
  expect((await own()).find(({ title }) => title === 'Rule 5')).toMatchObject({ enabled: true });
  await expectExact(organization.table, [detectionRules]);
});

test('a text with several correlations becomes rules of their own; those that are only counted raise no alert', async () => {
  const { analyst, own } = await start();
  const text = [
    '# a comment\n',
    counting(1, ['rule_1']),
    counting(2, ['rule_1', 'rule_2'], 'name: both\n'),
    counting(3, ['rule_3'], 'generate: true\n'),
    rule(1),
    rule(2),
    rule(3),
  ].join('---\n');
  const { result } = (await push(analyst, text, { name: 'pack.yml' })) ?? {};
  expect(result).toEqual({ created: 6, updated: 0, unchanged: 0, refused: [], refusedCount: 0 });
  const effects = (await own()).map(({ title, effect }) => [title, effect ?? 'alert'] as const).sort();
  expect(effects).toEqual([
    ['Correlation 1', 'alert'],
    ['Correlation 2', 'alert'],
    ['Correlation 3', 'alert'],
    ['Rule 1', 'signal'],
    ['Rule 2', 'signal'],
    ['Rule 3', 'alert'],
  ]);
  expect((await push(analyst, text, { name: 'pack.yml' }))?.result).toMatchObject({ unchanged: 6, created: 0 });
});

test('a file that is no pack, or expands too far, fails its task and changes nothing', async () => {
  const { analyst, own } = await start();
  const bomb = zipped(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}.yml`, '#'.repeat(300_000)])));
  expect(bomb.length).toBeLessThan(100_000);
  const long = zipped({ 'long.yml': '#'.repeat(10_000_000), 'one.yml': rule(1) });
  const lying = Buffer.from(zipped({ 'one.yml': '#'.repeat(300_000) }));
  lying.writeUInt32LE(10, lying.indexOf('PK\x01\x02') + 24);
  const many = Array.from({ length: 5_001 }, (_, n) => `id: rule-${n}\n`).join('---\n');
  for (const [content, message] of [
    [bomb, 'more than 24000000 bytes'],
    [lying, 'The archive cannot be read'],
    [zipped({ 'one.yml': rule(1) }).subarray(0, -30), 'The archive cannot be read'],
    [zipped({ 'README.md': 'none' }), 'The pack has no rules'],
    [many, 'more than 5000 rules'],
    [Buffer.from([0xff, 0xfe, 0x00]), 'neither a zip archive nor a text'],
  ] as const) {
    const task = await push(analyst, content);
    expect(task).toMatchObject({ status: 'failed', error: { code: 'validation_failed' } });
    expect(task?.error?.message).toContain(message);
  }
  expect(await own()).toEqual([]);
  expect((await push(analyst, long))?.result).toMatchObject({
    created: 1,
    refused: [{ file: 'long.yml', message: expect.stringContaining('320000 bytes') }],
  });
});

test('a pack is an upload of the caller, and is taken once', async () => {
  const { organization, analyst } = await start();
  const uploadId = await upload(analyst, zipped({ 'one.yml': rule(1) }));
  const other = await organization.withRole('analyst');
  const ofOther = await other.call('importDetectionRules', { body: { uploadId } });
  expect(ofOther.body).toMatchObject({ code: 'not_found' });
  await analyst.ok('importDetectionRules', { body: { uploadId }, query: { waitSeconds: 20 } });
  const again = await analyst.call('importDetectionRules', { body: { uploadId } });
  expect(again.body).toMatchObject({ code: 'conflict' });
});

test('many very long rules are imported, and a rule with as many different values as its text may have', async () => {
  const { analyst, own } = await start();
  const long = (n: number) => `${rule(n)}# ${'long '.repeat(58_000)}\n`;
  const files = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`long-${n}.yml`, long(n)]));
  const sources = Array.from({ length: 10 }, (_, n) => n + 20);
  const words = Array.from({ length: 85 }, (_, n) => String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26)));
  const tags = Array.from({ length: 20 }, (_, n) => `attack.t${1000 + n}.${100 + n}`);
  const counts = counting(
    1,
    sources.map((n) => `rule_${n}`),
    `tags: [${tags.join(', ')}]\n`,
  ).replace('Correlation 1', words.join(' '));
  const counted = sources.map((n) =>
    rule(n).replace(/logsource.*/, `logsource: { category: c${n}, product: p${n}, service: s${n} }`),
  );
  const task = await push(analyst, zipped({ 'wide.yml': [counts, ...counted].join('---\n'), ...files }));
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 17, refusedCount: 0 } });
  expect(await own()).toHaveLength(17);
}, 60_000);

test('the estimate of a hunt counts the rules of a pack that it makes ready and tries', async () => {
  const { analyst } = await start();
  const secondsOf = async (query: object) => (await analyst.ok('estimateEvents', { query })).seconds;
  const pack = Array.from({ length: 450 }, (_, n) => rule(n)).join('---\n');
  await push(analyst, pack, { enabled: false, name: 'pack.yml' });
  expect([await secondsOf({ rules: 'one' }), await secondsOf({ rules: 'on' })]).toEqual([0, 1]);
  expect([await secondsOf({ rules: 'off' }), await secondsOf({ rules: 'all' })]).toEqual([2, 2]);
  const [{ id } = { id: '' }] = await ownRules(analyst);
  expect(await analyst.call('estimateEvents', { query: { ruleId: id, rules: 'all' } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'rules', message: expect.stringContaining('leave it out beside ruleId') }] },
  });
});
