import { afterEach, describe, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { DAY_MS, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { MAX_HOURS } from '#shared/soc/siem/read-events.ts';
import { segmentKey, segments } from '#shared/soc/siem/segments.ts';
import { hoursOf, readVolumes } from '#shared/soc/siem/volume.ts';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
afterEach(() => setClock());

const collector = () => logCollector(system);

describe('an event whose time is none is not lost', () => {
  const DAY = 86_400;
  const cef = (rt: string) => `CEF:0|v|p|1|1|n|5|rt=${rt} msg=told`;

  test('the answer counts it, its source too, and a search of the last hour finds it', async () => {
    const { send, done, admin } = await collector();
    const usable = [
      { time: ago(60), msg: 'a' },
      ssh(ago(29 * DAY), 'b'),
      cef(String(Date.parse(ago(90)))),
      'plain',
      '<34>1 - h app - - - c',
    ];
    const unusable = [
      ...[{ time: 0.35 }, { time: 0 }, { ts: -5 }, { date: 20_261_127 }, { time: 1e15 }, { time: 4e9 }, { ts: 'soon' }],
      ...[cef('1'), cef('0'), cef('never'), cef('Jan 41 2026 10:00:00'), cef('12345678')],
      ...[
        ssh(ago(31 * DAY), 'o'),
        ssh(ago(600 * DAY), 'o'),
        ssh('1970-01-01T00:00:01Z', 'o'),
        ssh('0001-01-01T00:00:00Z', 'o'),
      ],
      ...[ssh('2099-01-01T00:00:00Z', 'f'), ssh(ago(-400), 'f'), ssh('9999-12-31T23:59:59Z', 'f')],
    ];
    const sent = await send('1', [...usable, ...unusable]);
    expect(sent).toMatchObject({ duplicate: false, timesReplaced: unusable.length });
    await done('1');
    expect(await send('1', [...usable, ...unusable])).toMatchObject({
      duplicate: true,
      timesReplaced: unusable.length,
    });
    const { data } = await admin.ok('searchEvents', { query: { limit: 500, to: ago(-60) } });
    expect(data).toHaveLength(usable.length - 1 + unusable.length);
    expect(data.filter(({ at, receivedAt }) => at === receivedAt)).toHaveLength(unusable.length + 2);
    expect((await admin.ok('searchEvents', { query: { from: ago(30 * DAY), search: 'b' } })).data).toHaveLength(1);
    await send('2', [{ time: 0.5 }]);
    await done('2');
    const { data: sources } = await admin.ok('listSources');
    expect(sources).toMatchObject([{ timesReplaced: unusable.length + 1 }]);
  });

  test('batches of one day that is long over stop nobody', async () => {
    const { send, done, admin } = await collector();
    for (const batchId of ['1', '2', '3']) await send(batchId, [ssh('2020-02-29T10:00:00Z', `old ${batchId}`)]);
    await send('4', [ssh(ago(1), 'good')]);
    await done('1', '2', '3', '4');
    expect((await admin.ok('searchEvents', { query: { to: ago(-60) } })).data).toHaveLength(4);
  });

  test('lines of many hours make few objects, and the newest hours keep their times', async () => {
    const { send, done, table, admin } = await collector();
    const hours = 29 * 24;
    const lines = Array.from({ length: hours }, (_, n) => ssh(ago(3600 * (hours - n)), 'x'));
    expect(await send('1', lines)).toMatchObject({ timesReplaced: hours - MAX_HOURS });
    await done('1');
    const days = await readVolumes(table, { from: '2000', to: '3000' });
    const counts = days.flatMap((row) => Object.entries(row)).filter(([name]) => /^s\d\d$/.test(name));
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(MAX_HOURS + 1);
    const { data } = await admin.ok('searchEvents', { query: { from: ago(3600 * 24), limit: 500, to: ago(1800) } });
    expect(data).toHaveLength(23);
  });

  test('and it ends with the days for which events are kept', async () => {
    const { send, done, table } = await collector();
    await send('1', [ssh('2020-02-29T10:00:00Z', 'old'), ssh(ago(20 * DAY), 'x'), 'plain']);
    await done('1');
    const volumesOf = () => readVolumes(table, { from: '2000', to: '3000' });
    const hours = (await volumesOf()).flatMap(hoursOf).map(({ hour }) => hour);
    const rows = (await Promise.all(hours.map((hour) => table.rows(segments).query(hour)))).flat();
    expect(rows).toHaveLength(2);
    const sizes = () =>
      Promise.all(rows.map((one) => system.connections.bucket.size(segmentKey(table.organizationId, one))));
    expect(await sizes()).toEqual([expect.any(Number), expect.any(Number)]);
    const later = nowMs() + 32 * DAY_MS;
    setClock(() => later);
    await work(system.connections, placedTimer(dailyTimer('siem-events', table)));
    expect(await sizes()).toEqual([undefined, undefined]);
    expect((await volumesOf()).flatMap(hoursOf)).toEqual([]);
  });
});
