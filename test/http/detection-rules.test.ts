import { describe, expect, test } from 'vitest';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { starterRules } from '#shared/soc/detection/starter/list.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

const RULE = `title: Reconnaissance by net.exe
id: 6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: '\\net.exe'
    CommandLine|contains: group
  condition: selection
level: low
tags: [attack.t1069.002, attack.discovery]
`;
const ruleOf = (selection: string) => RULE.replace(/ {4}Image.*\n.*\n/, `    ${selection}\n`);

async function start() {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  const refused = async (content: string) => {
    const answer = await analyst.call('createDetectionRule', { body: { content } });
    return [answer.status, Object(answer.body).details];
  };
  return { organization, analyst, refused };
}

describe('no rule keeps the service busy', () => {
  const EVENT = { product: 'linux', fields: { f: 'ab'.repeat(16_000) } };
  const content = (line: string) =>
    `title: x\nlogsource: { product: linux }\ndetection:\n  selection:\n    ${line}\n  condition: selection\n`;

  test('the answer to a viewer names the pattern that takes too many steps on the events of a test', async () => {
    const viewer = await (await system.newOrganization()).withRole('viewer');
    const body = { content: content(`f: '*${'?a'.repeat(900)}c*'`), events: [EVENT] };
    const answer = await viewer.call('testDetectionRule', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(Object(answer.body).details).toMatchObject([
      { path: 'content', message: expect.stringMatching(/too many steps .* selection\.f: \*\?a.*Write longer texts/) },
    ]);
  });

  test.each([2, 100, 1_600])('%i large expressions are refused before they run', async (count) => {
    const viewer = await (await system.newOrganization()).withRole('viewer');
    const values = Array.from({ length: count }, (_, n) => `'(a|b|ab){990}${n.toString(36)}'`);
    const body = { content: content(`f|re|i: [${values.join(', ')}]`).slice(0, 30_000), events: [EVENT] };
    const { rule, errors } = await viewer.ok('testDetectionRule', { body });
    expect(rule).toBeNull();
    expect(errors).toHaveLength(1);
  });
});

describe('an analyst keeps detection rules', () => {
  test('finds the starter rules, writes another one, changes it and deletes it', async () => {
    const { organization, analyst } = await start();
    const starters = Object.keys(starterRules()).length;
    const list = async (query: object = {}) => (await analyst.ok('listDetectionRules', { query })).totalCount;
    expect(await list()).toBe(starters);
    const rule = await analyst.ok('createDetectionRule', { body: { content: RULE } });
    expect(rule).toMatchObject({
      content: RULE,
      enabled: true,
      title: 'Reconnaissance by net.exe',
      severity: 'low',
      type: 'events',
      logsources: [{ category: 'process_creation', product: 'windows', service: null }],
      attackTechniques: ['T1069.002'],
      sigmaId: '6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001',
      origin: 'custom',
    });
    expect(await list({ origin: 'custom' })).toBe(1);
    expect(await list({ technique: 't1069', enabled: 'true', product: 'windows', severity: 'low' })).toBe(1);
    expect((await analyst.ok('searchDetectionRules', { query: { search: 'reconn' } })).data).toMatchObject([
      { id: rule.id },
    ]);
    const params = { id: rule.id };
    const body = { content: RULE.replace('low', 'critical'), enabled: false };
    const changed = await analyst.ok('updateDetectionRule', { params, body });
    expect(changed).toMatchObject({ severity: 'critical', enabled: false, version: 2 });
    expect(await analyst.ok('getDetectionRule', { params })).toEqual(changed);
    expect(await analyst.ok('updateDetectionRule', { params, body: changed as never })).toEqual(changed);
    await analyst.ok('deleteDetectionRule', { params });
    expect(await list({ enabled: 'true' })).toBe(starters);
    await expectExact(organization.table, [detectionRules]);
  });

  test('turns a starter rule off, copies it, and cannot change or delete it', async () => {
    const { analyst } = await start();
    const { data } = await analyst.ok('listDetectionRules', { query: { type: 'value_count' } });
    const params = { id: data[0]?.id ?? '' };
    const { content } = await analyst.ok('getDetectionRule', { params });
    expect(await analyst.ok('updateDetectionRule', { params, body: { enabled: false } })).toMatchObject({ version: 2 });
    const refused = { status: 400, body: { code: 'conflict' } };
    expect(await analyst.call('updateDetectionRule', { params, body: { content: RULE } })).toMatchObject(refused);
    expect(await analyst.call('deleteDetectionRule', { params })).toMatchObject(refused);
    const copy = await analyst.ok('createDetectionRule', { body: { content } });
    expect(copy).toMatchObject({ origin: 'custom', starter: null, type: 'value_count', enabled: true });
  });

  test('gets the place and the reason of an unsupported part, and nothing changes', async () => {
    const { analyst, refused } = await start();
    const at = (path: string, message: unknown = expect.any(String)) => [400, [{ path, message }]];
    expect(await refused('title: [')).toEqual(at('content'));
    expect(await refused('x: &a [1]\ny: *a')).toEqual(at('content', 'must not have aliases (*name)'));
    expect(await refused('['.repeat(20_000))).toEqual(at('content'));
    expect(await refused(RULE.replace('detection:', 'found:'))).toEqual(at('content.detection', 'must be a map'));
    expect(await refused(ruleOf("User|expand: '%Admins%'"))).toEqual(at('content.detection.selection.User|expand'));
    expect(await refused(ruleOf("User|re: '(a)\\1'"))).toEqual(at('content.detection.selection.User|re'));
    expect(await refused(RULE.replace('condition: selection', 'condition: selection | count() > 5'))).toEqual(
      at('content.detection.condition'),
    );
    expect((await analyst.ok('listDetectionRules', { query: { origin: 'custom' } })).totalCount).toBe(0);
  });

  test('tries a text on events before it is kept', async () => {
    const { analyst } = await start();
    const event = (CommandLine: string, more: object = {}) => ({
      category: 'process_creation',
      product: 'windows',
      host: 'pc-7',
      at: '2026-11-12T10:00:00.000Z',
      fields: { Image: 'C:\\Windows\\System32\\NET.exe', CommandLine },
      ...more,
    });
    const events = [event('net group x'), event('net user x'), event('net group y', { product: 'linux' })];
    const tried = await analyst.ok('testDetectionRule', { body: { content: RULE, events } });
    expect(tried).toMatchObject({
      rule: { title: 'Reconnaissance by net.exe', type: 'events', sigmaId: '6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001' },
      errors: [],
    });
    expect(tried.events.map(({ inLogSource, matches }) => [inLogSource, matches])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect(tried.alerts).toMatchObject([{ group: ['pc-7'], eventCount: 1, firstEventAt: '2026-11-12T10:00:00.000Z' }]);
    const bad = await analyst.ok('testDetectionRule', { body: { content: 'title: x', events: [] } });
    expect(bad).toEqual({
      rule: null,
      events: [],
      alerts: [],
      errors: [{ path: 'detection', message: 'must be a map' }],
    });
  });
});
