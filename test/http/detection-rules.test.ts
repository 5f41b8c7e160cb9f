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

  test('lets a correlation count stored rules, which stay as long as it needs them', async () => {
    const { analyst, refused, organization } = await start();
    const named = (name: string) => RULE.replace('title', `name: ${name}\ntitle`).replace(/id: .*\n/, '');
    const over = (rules: string, more = 'type: event_count, group-by: [Image], condition: { gte: 2 }', name = 'over') =>
      `title: Over ${rules}\nname: ${name}\ncorrelation: { rules: ${rules}, timespan: 1m, ${more} }\n`;
    const at = (path: string, message: string) => [400, [{ path, message: expect.stringContaining(message) }]];
    const [rules, group] = ['content.correlation.rules', 'content.correlation.group-by'];
    expect(await refused(over('[net]'))).toEqual(at(rules, 'names net, and no other rule has this id or name'));
    const base = await analyst.ok('createDetectionRule', { body: { content: named('net') } });
    const inner = await analyst.ok('createDetectionRule', { body: { content: over('[net]') } });
    expect(inner).toMatchObject({ counts: [base.id], type: 'event_count' });
    const chain = 'type: event_count, group-by: [Image], condition: { gte: 1 }';
    const outer = await analyst.ok('createDetectionRule', { body: { content: over('[over]', chain, 'outer') } });
    expect(await refused(over('[over]', chain.replace('Image', 'User')))).toEqual(at(group, 'unlike User'));
    expect(await refused(over('[over, net]', chain))).toEqual(at(rules, 'must be rules only, or correlations only'));
    const sum = chain.replace('event_count', 'value_sum').replace('gte', 'field: Image, gte');
    expect(await refused(over('[over]', sum))).toEqual(at('content.correlation.type', 'a correlation has none'));
    const params = { id: base.id };
    const conflict = (id: string, title: string) => ({
      status: 400,
      body: { code: 'conflict', details: [{ path: id, message: `${title} counts this rule` }] },
    });
    const isCounted = conflict(inner.id, 'Over [net]');
    for (const body of [{ enabled: false }, { content: named('other') }])
      expect(await analyst.call('updateDetectionRule', { params, body })).toMatchObject(isCounted);
    expect(await analyst.call('deleteDetectionRule', { params })).toMatchObject(isCounted);
    const circle = { params: { id: inner.id }, body: { content: over('[outer]', chain) } };
    expect(await analyst.call('updateDetectionRule', circle)).toMatchObject({
      body: { details: [{ path: rules, message: 'must not lead back to this rule' }] },
    });
    const content = named('net').replace('contains: group', 'contains: user');
    expect(await analyst.ok('updateDetectionRule', { params, body: { content } })).toMatchObject({ version: 2 });
    await analyst.ok('createDetectionRule', { body: { content: named('net') } });
    expect(await refused(over('[net]'))).toEqual(at(rules, 'as 2 rules are: name the rule by an id of its own'));
    const off = { enabled: false };
    for (const { id } of [outer, inner]) await analyst.ok('updateDetectionRule', { params: { id }, body: off });
    await analyst.ok('updateDetectionRule', { params, body: off });
    expect(
      await analyst.call('updateDetectionRule', { params: { id: outer.id }, body: { enabled: true } }),
    ).toMatchObject({ body: { details: [{ path: rules, message: expect.stringContaining('which is off') }] } });
    await expectExact(organization.table, [detectionRules]);
  });

  test('tries a correlation over stored rules on events', async () => {
    const { analyst } = await start();
    const create = (content: string) => analyst.ok('createDetectionRule', { body: { content } });
    await create(RULE);
    const inner = (gte: number) => `title: Many
name: many
correlation:
  type: event_count
  rules: [6a1e9c3b-2f57-4d0e-9c77-3e1b1b1f0001]
  group-by: [host]
  timespan: 1m
  condition: { gte: ${gte} }
`;
    await create(inner(2));
    const event = (seconds: number, host: string) => ({
      category: 'process_creation',
      product: 'windows',
      host,
      at: `2026-11-12T10:00:0${seconds}.000Z`,
      fields: { Image: 'C:\\net.exe', CommandLine: 'net group x' },
    });
    const events = [event(0, 'a'), event(1, 'a'), event(2, 'b'), event(3, 'b'), event(4, 'c')];
    const tried = async (content: string) => {
      const { alerts, events: seen } = await analyst.ok('testDetectionRule', { body: { content, events } });
      return [seen.filter(({ matches }) => matches).length, alerts.map(({ group, eventCount }) => [group, eventCount])];
    };
    expect(await tried(inner(2))).toEqual([
      5,
      [
        [['a'], 2],
        [['b'], 2],
      ],
    ]);
    const hosts = `title: Hosts
correlation: { type: value_count, rules: [many], timespan: 5m, condition: { field: host, gte: 2 } }
`;
    expect(await tried(hosts)).toEqual([5, [[[], 2]]]);
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
