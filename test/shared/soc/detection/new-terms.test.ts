import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { updateRule } from '#shared/soc/detection/save-rule.ts';
import { all, deliver, FAILED, failed, organizationWith, START } from '../../../support/detection/delivery.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { useStore } from '../../../support/store.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();
afterEach(() => setClock());

const DAY = 86_400;
const FIRST = FAILED.replace('level', 'new_terms: { fields: [user, host], history_window: 2d }\nlevel');
const by = (day: number, user: string, host = 'web-01') => failed(day * DAY, { user, host });
const titles = async (table: Table) => (await all(table)).map(({ title }) => title).sort();

test('a pair of values is new once, after the rule has learned, and again when it was not seen for its window', async () => {
  const table = await organizationWith(store.dynamo, [FIRST]);
  await deliver(table, 'a', [by(0, 'ann'), by(0, 'bob', 'db')]);
  await deliver(table, 'b', [by(1.9, 'ann'), by(1.9, 'carl')]);
  expect(await titles(table)).toEqual([]);
  const events = [by(3, 'Ann'), by(3, 'ann', 'db'), by(3.01, 'ann', 'db'), by(3, 'bob', 'db'), failed(3 * DAY)];
  await deliver(table, 'c', events);
  await deliver(table, 'c', events);
  await deliver(table, 'd', [by(3.2, 'ann', 'DB')]);
  expect((await all(table)).map(({ title, eventCount }) => [title, eventCount]).sort()).toEqual([
    ['Failed login: ann, db', 2],
    ['Failed login: bob, db', 1],
  ]);
  await expectExact(table, [alerts]);
});

test('many workers that meet a new value raise it once, with faults and repeats', async () => {
  const made = await organizationWith(store.dynamo, [FIRST]);
  const dynamo = store.connect();
  const stop = injectFaults(dynamo, { random: dice(5), conflict: 0.1, lost: 0.1, throttle: 0.05, unprocessed: 0.1 });
  const table = openTable(dynamo, made.organizationId);
  await Promise.all(['a', 'b', 'a', 'c'].map((batch) => deliver(table, batch, [by(3, 'eve'), by(3, 'mallory')])));
  stop();
  expect(await titles(made)).toEqual(['Failed login: eve, web-01', 'Failed login: mallory, web-01']);
  await expectExact(made, [alerts]);
});

test('a batch with very many new values has one alert for the further ones, and all are known then', async () => {
  const table = await organizationWith(store.dynamo, [FIRST]);
  const events = Array.from({ length: 150 }, (_, n) => by(3, `user-${n}`));
  for (const batch of ['a', 'a', 'b']) await deliver(table, batch, events);
  const raised = await all(table);
  expect(raised).toHaveLength(101);
  expect(raised.find(({ title }) => title === 'Failed login: more new values')).toMatchObject({ eventCount: 50 });
});

test('a rule begins to learn again when its fields change or somebody turns it on, and not with another text', async () => {
  const table = await organizationWith(store.dynamo, [FIRST]);
  const [rule] = (await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1 })).data;
  const until = new Date(START + 600_000 + 2 * DAY * 1000).toISOString();
  expect(rule).toMatchObject({ type: 'new_terms', learnsUntil: until });
  setClock(() => START + DAY * 1000);
  const id = rule?.id ?? '';
  const learnsUntil = async (patch: object) => (await updateRule(table, id, { patch })).learnsUntil;
  expect(await learnsUntil({ content: FIRST.replace('level: high', 'level: low') })).toBe(until);
  const anew = new Date(START + 3 * DAY * 1000).toISOString();
  expect(await learnsUntil({ content: FIRST.replace('[user, host]', '[user]') })).toBe(anew);
  await learnsUntil({ enabled: false });
  setClock(() => START + 2 * DAY * 1000);
  expect(await learnsUntil({ enabled: true })).toBe(new Date(START + 4 * DAY * 1000).toISOString());
  expect(await learnsUntil({ content: FAILED })).toBeNull();
});
