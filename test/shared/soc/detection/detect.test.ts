import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { rulesChanged } from '#shared/soc/detection/mark.ts';
import { weeksOf } from '#shared/soc/detection/rule-weeks.ts';
import { updateRule } from '#shared/soc/detection/save-rule.ts';
import {
  all,
  counted,
  deliver,
  FAILED,
  failed,
  MANY,
  organizationWith,
  over,
  START,
  timeOf,
} from '../../../support/detection/delivery.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();
afterEach(() => setClock());
const withRules = (...contents: string[]) => organizationWith(store.dynamo, contents);

test('100,000 matching events of a minute are one alert of each rule with their number, also after repeats', async () => {
  const table = await withRules(FAILED, counted('{ gte: 20 }'));
  const batches = Array.from({ length: 20 }, (_, n) => ({
    batchId: `batch-${n}`,
    events: Array.from({ length: 5_000 }, (_, i) => failed((n * 5_000 + i) * 0.0006)),
  }));
  const worker = async (n: number) => {
    for (const { batchId, events } of batches.filter((_, i) => i % 3 === n)) await deliver(table, batchId, events);
  };
  await Promise.all([0, 1, 2].map(worker));
  for (const { batchId, events } of batches.slice(0, 5)) await deliver(table, batchId, events);
  const raised = await all(table);
  expect(raised.map(({ eventCount }) => eventCount)).toEqual([100_000, 100_000]);
  expect(raised.map(({ title }) => title).sort()).toEqual(['Failed login', 'Many failed logins']);
  expect(raised[0]).toMatchObject({
    source: { kind: 'siem', ruleId: expect.any(String), collectorId: null },
    firstEventAt: timeOf(0),
    entities: expect.arrayContaining([
      { type: 'host', value: 'web-01', assetId: null },
      { type: 'ip', value: '203.0.113.7', assetId: null },
    ]),
  });
  await expectExact(table, [alerts]);
});

test('hosts have alerts of their own, and a rule that fits every host makes no thousand alerts', async () => {
  const table = await withRules(FAILED);
  const events = Array.from({ length: 400 }, (_, n) => failed(0, { host: `host-${n % 200}` }));
  expect(await deliver(table, 'one', events)).toEqual({ matches: 400 });
  const raised = await all(table);
  expect(raised).toHaveLength(101);
  expect(raised.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(400);
});

test('events that came before the last one needed are on the alert, and those of other spans are not', async () => {
  const table = await withRules(counted('{ gte: 3 }'), counted('{ field: user, gte: 2 }', 'value_count'));
  await deliver(table, 'a', [failed(0, { user: 'ann' }), failed(1, { user: 'ann' }), failed(-300, { user: 'bob' })]);
  expect(await all(table)).toEqual([]);
  await deliver(table, 'b', [failed(50, { user: 'Ann' })]);
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([3]);
  await deliver(table, 'c', [failed(30, { user: 'bob' })]);
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([4, 4]);
});

test('a sum of numbers makes an alert, and several fields count their values together', async () => {
  const sum = counted('{ field: bytes, gt: 1000.5 }', 'value_sum');
  const pairs = counted('{ field: [user, port], gte: 3 }', 'value_count');
  const table = await withRules(sum, pairs);
  const sent = (bytes: number | string, port: number, user = 'ann') => failed(0, { user, fields: { bytes, port } });
  await deliver(table, 'a', [sent(600.25, 22), sent('400.25', 22), sent(-50, 22), sent('many', 22)]);
  expect(await all(table)).toEqual([]);
  await deliver(table, 'b', [sent('0.001', 23), sent('', 22, 'bob')]);
  await deliver(table, 'b', [sent('0.001', 23), sent('', 22, 'bob')]);
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([6, 6]);
});

test('an exception leaves its events out until it ends; a signal is counted and raises nothing', async () => {
  const table = await withRules(FAILED);
  const [rule] = (await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1 })).data;
  const id = rule?.id ?? '';
  const exception = { where: { host: 'BUILD-*', user: 'ci' }, reason: 'a test', endsAt: timeOf(900) };
  await updateRule(table, id, { patch: { exceptions: [exception] } });
  const events = [failed(0, { host: 'build-7', user: 'ci' }), failed(1, { host: 'build-7', user: 'eve' })];
  expect(await deliver(table, 'a', events)).toEqual({ matches: 1 });
  setClock(() => START + 901_000);
  expect(await deliver(table, 'b', events)).toEqual({ matches: 2 });
  await deliver(table, 'b', events);
  // it stays beside others, and a new one that would silence nothing is refused
  const other = { ...exception, where: { host: 'x' } };
  await updateRule(table, id, { patch: { exceptions: [exception, { ...other, endsAt: timeOf(999) }] } });
  await expect(updateRule(table, id, { patch: { exceptions: [exception, other] } })).rejects.toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'exceptions.1.endsAt', message: expect.stringContaining('must be in the future') }],
  });
  const [present, before] = await weeksOf(table, id);
  expect(present).toEqual({ week: '2026-11-09', matches: 3, alerts: 1 });
  expect(before).toEqual({ week: '2026-11-02', matches: 0, alerts: 0 });
  await updateRule(table, id, { patch: { effect: 'signal' } });
  await deliver(table, 'c', [failed(2, { host: 'web-02' })]);
  expect((await weeksOf(table, id))[0]).toEqual({ week: '2026-11-09', matches: 4, alerts: 1 });
  await expectExact(table, [alerts, detectionRules]);
});

test('a filter of Sigma holds for the rules that it names, or for all of its log source', async () => {
  const filter = (rules: string, product = '') => `title: Not the scanner
logsource: { service: sshd${product} }
filter:
  rules: ${rules}
  selection: { host|startswith: scanner- }
  condition: not selection
`;
  const events = [failed(0, { host: 'scanner-1' }), failed(0, { host: 'web-01' })];
  const matchesWith = async (...filters: string[]) =>
    (await deliver(await withRules(FAILED, ...filters), 'a', events)).matches;
  expect(await matchesWith(filter('any'))).toBe(1);
  expect(await matchesWith(filter('[failed]'))).toBe(1);
  expect(await matchesWith(filter('[another]'))).toBe(2);
  expect(await matchesWith(filter('any', ', product: windows'))).toBe(2);
});

test('a rule that is changed before its batch comes again puts no event on an alert twice', async () => {
  const table = await withRules(FAILED, counted('{ gte: 3 }'));
  const events = [failed(0), failed(1), failed(2)];
  await deliver(table, 'a', events);
  const { data } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 10 });
  for (const { id } of data) {
    const { content } = await table.get(detectionRules, id);
    await updateRule(table, id, { patch: { content: content.replace('level: high', 'level: low') } });
  }
  await deliver(table, 'a', events);
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([3, 3]);
  await deliver(table, 'b', events);
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([6, 6]);
  await expectExact(table, [alerts]);
});

test('a batch with more groups than a correlation counts says so as an alert, with the events that are left out', async () => {
  const table = await withRules(counted('{ gte: 2 }'));
  const from = (n: number) => failed(0, { fields: { src_ip: `10.0.${Math.floor(n / 250)}.${n % 250}` } });
  const events = Array.from({ length: 2_010 }, (_, n) => from(n));
  await deliver(table, 'a', events);
  await deliver(table, 'a', events);
  expect(await all(table)).toMatchObject([
    { title: 'Many failed logins: more groups than are counted', eventCount: 10 },
  ]);
});

const SLOW = (n: number) => `title: Slow ${n}
logsource: { service: sshd }
detection:
  selection:
    big|re: '[ab]*a[ab]{${200 + n}}[cd]'
  condition: selection
`;

test('a rule over its budget is switched off with a reason and an alert; the others go on', async () => {
  const table = await withRules(...[1, 2, 3, 4, 5].map(SLOW), FAILED);
  const roll = dice(3);
  const big = Array.from({ length: 30_000 }, () => (roll() < 0.5 ? 'a' : 'b')).join('');
  const events = Array.from({ length: 20 }, (_, n) => failed(n, { fields: { big } }));
  expect(await deliver(table, 'a', events)).toEqual({ matches: 20 });
  expect(await deliver(table, 'a', events)).toEqual({ matches: 20 });
  const { data } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 10 });
  const off = data.filter(({ enabled }) => !enabled);
  expect(off.map(({ title }) => title).sort()).toEqual([1, 2, 3, 4, 5].map((n) => `Slow ${n}`));
  for (const { switchedOffReason } of off)
    expect(switchedOffReason).toMatch(/too many steps .* at selection\.big: \[ab\]\*a\[ab\]\{20/);
  const raised = await all(table);
  expect(raised.filter(({ title }) => title.endsWith(': switched off'))).toHaveLength(5);
  expect(raised.find(({ title }) => title === 'Failed login')).toMatchObject({ eventCount: 20 });
  const [rule] = off;
  const content = FAILED.replace('Failed login', 'Mended');
  const on = await updateRule(table, rule?.id ?? '', { patch: { content, enabled: true } });
  expect(on).toMatchObject({ enabled: true, switchedOffReason: null });
  expect(await deliver(table, 'b', events)).toEqual({ matches: 40 });
  await expectExact(table, [alerts, detectionRules]);
});

test('a stored rule that this release refuses is switched off with the reason', async () => {
  const table = await withRules(FAILED);
  const [rule] = (await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1 })).data;
  const stored = await table.get(detectionRules, rule?.id ?? '');
  const content = FAILED.replace('message|startswith: Failed', "message|re: '(a|b|ab){990}'");
  await table.update(detectionRules, stored, { content });
  const batch = table.batch();
  batch.write(rulesChanged(table));
  await batch.commit();
  expect(await deliver(table, 'a', [failed(0)])).toEqual({ matches: 0 });
  expect(await table.get(detectionRules, stored.id)).toMatchObject({
    enabled: false,
    switchedOffReason: expect.stringMatching(
      /^This release refuses the rule: detection\.selection\.message\|re: makes/,
    ),
  });
});

const delivered = fc.record({ batch: fc.nat(5), second: fc.nat(150), address: fc.nat(1), user: fc.nat(3) });

type Delivered = { batch: number; second: number; address: number; user: number };

/** The events that lie in any span of a minute, beginning at any part of 2 seconds, with enough events or users. */
function expected(events: readonly Delivered[], isEnough: (span: readonly Delivered[]) => boolean): number {
  const slotOf = ({ second }: Delivered) => Math.floor(second / 2);
  const spans = Array.from({ length: 110 }, (_, n) => n - 30);
  return [0, 1].reduce((sum, address) => {
    const own = events.filter((event) => event.address === address);
    const within = (from: number) => own.filter((event) => slotOf(event) >= from && slotOf(event) < from + 30);
    return sum + new Set(spans.map(within).filter(isEnough).flat()).size;
  }, 0);
}

/** How often both addresses come to so many events within a minute, by address and part of 10 seconds. */
function comeAbout(events: readonly Delivered[], atLeast: number): number {
  const slotOf = ({ second }: Delivered) => Math.floor(second / 2);
  const marks = [0, 1].map((address) => {
    const own = events.filter((event) => event.address === address);
    const before = (end: number) => own.filter((event) => slotOf(event) <= end && slotOf(event) > end - 30);
    const ends = own.map(slotOf).filter((end) => before(end).length >= atLeast);
    return new Set(ends.map((end) => Math.floor(end / 5))).size;
  });
  return marks.every((count) => count > 0) ? marks.reduce((sum, count) => sum + count) : 0;
}

class Killed extends Error {}

test('alerts hold exactly the events that a recount finds, in any order, with repeats, kills and faults', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(delivered, { maxLength: 40, selector: (one) => JSON.stringify(one) }),
      fc.array(fc.nat(5), { maxLength: 6 }),
      fc.integer(),
      async (events, again, seed) => {
        const made = await withRules(
          MANY.replace('gte: 3', 'gte: 4'),
          counted('{ field: user, gte: 3 }', 'value_count'),
          FAILED,
          over('[many]', 'type: value_count, condition: { field: src_ip, gte: 2 }'),
        );
        const random = dice(seed);
        const dynamo = store.connect();
        const stop = injectFaults(dynamo, {
          random,
          conflict: 0.05,
          lost: 0.05,
          throttle: 0.05,
          unprocessed: 0.1,
          before: () => {
            if (random() < 0.04) throw new Killed();
          },
        });
        const table = openTable(dynamo, made.organizationId);
        const batches = Map.groupBy(events, ({ batch }) => batch);
        const order = [...batches.keys(), ...again].sort(() => random() - 0.5);
        await Promise.all(order.map((batch) => untilDone(table, batch, batches.get(batch) ?? [])));
        stop();
        const sums = Map.groupBy(await all(made), ({ source }) => source.ruleId);
        const found = [...sums.values()]
          .map((some) => some.reduce((sum, { eventCount }) => sum + eventCount, 0))
          .sort();
        const wanted = [
          expected(events, (span) => span.length >= 4),
          expected(events, (span) => new Set(span.map(({ user }) => user)).size >= 3),
          events.length,
          comeAbout(events, 4),
        ];
        expect(found).toEqual(wanted.filter((sum) => sum > 0).sort());
        await expectExact(made, [alerts]);
      },
    ),
    { numRuns: runs(3, 15), endOnFailure: true },
  );
});

async function untilDone(table: Table, batch: number, events: readonly Delivered[]): Promise<void> {
  const siem = events.map(({ second, address, user }) =>
    failed(second, { user: `user-${user}`, fields: { src_ip: `10.0.0.${address}` } }),
  );
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await deliver(table, `batch-${batch}`, siem);
      return;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
  throw new Error(`batch ${batch} was killed too often`);
}
