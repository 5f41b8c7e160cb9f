import { beforeEach, describe, expect, test } from 'vitest';
import { reportedRows, reportFindings } from '#functions/apex/apex-communication/report-findings.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { giveTask } from '../../../support/held-task.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: ApexWorld;
beforeEach(async () => {
  world = await newApexWorld(store.dynamo);
  await world.take(0);
});

const host = (value: string, zone: string | null = null): ScanTarget => ({ type: 'host', value, zone });
const cidr = (value: string, zone: string | null = null): ScanTarget => ({ type: 'cidr', value, zone });
const finding = (more: object = {}) => ({ externalId: 'x', title: 'X', severity: 'high', ...more });

/** A task that the appliance holds. */
const hold = async (targets: ScanTarget[], more: object = {}) =>
  (await giveTask(world.table, world.applianceId, { targets, ...more })).id;
const report = (taskId: string, ...findings: object[]) =>
  reportFindings(
    { connections: world.connections, table: world.table, machineId: world.applianceId },
    { taskId, findings },
  );
const answers = async (taskId: string, ...findings: object[]) =>
  (await report(taskId, ...findings)).results.map(({ accepted, code, message }) =>
    accepted ? 'taken' : `${code} ${message}`,
  );

describe('where a finding lies', () => {
  test('need not be said of a task with one target, and must be said of one with several', async () => {
    expect(await answers(await hold([host('10.0.0.1')]), finding())).toEqual(['taken']);
    const missing = expect.stringMatching(/^validation_failed target: is required/);
    expect(await answers(await hold([host('10.0.0.1'), host('10.0.0.2')]), finding())).toEqual([missing]);
    expect(await answers(await hold([]), finding())).toEqual([missing]);
  });

  test('must be one place of the targets, which nobody reads as several', async () => {
    const taskId = await hold([cidr('10.0.0.0/24')], { exclusions: [host('10.0.0.9')] });
    const at = (target: object) => finding({ target });
    expect(
      await answers(
        taskId,
        at(host('10.0.0.1')),
        at(host('10.0.0.9')),
        at(host('10.0.1.1')),
        at(cidr('10.0.0.0/28')),
        at(host('10.0.0.1-9')),
      ),
    ).toEqual([
      'taken',
      expect.stringMatching(/^out_of_scope /),
      expect.stringMatching(/^out_of_scope /),
      expect.stringMatching(/^validation_failed target: name one address/),
      expect.stringMatching(/^validation_failed target.value: /),
    ]);
  });

  test('is in the only zone in which the task looks at it, and must be said if there are several', async () => {
    const at = (value: string, zone?: string) => finding({ target: { type: 'host', value, zone } });
    const targets = [host('10.0.0.1', 'dmz'), host('10.0.0.2', 'dmz'), host('10.0.0.2', 'office')];
    const taskId = await hold(targets);
    expect(
      await answers(taskId, at('10.0.0.1'), at('10.0.0.2'), at('10.0.0.2', 'office'), at('10.0.0.1', 'office')),
    ).toEqual([
      'taken',
      expect.stringMatching(/^validation_failed target.zone: is required/),
      'taken',
      expect.stringMatching(/^out_of_scope /),
    ]);
    // a report of each zone
    expect((await world.read(taskId)).ingestTaskIds).toHaveLength(2);
    expect(await answers(await hold([host('10.0.0.1', 'dmz')], { zone: 'office' }), at('10.0.0.1'))).toEqual(['taken']);
  });
});

describe('the findings of a task', () => {
  const counts = async (taskId: string) => {
    const { critical, high, low } = (await world.read(taskId)).findings;
    return { critical, high, low };
  };

  test('count each once per place, and move when their severity does', async () => {
    const taskId = await hold([host('10.0.0.1'), host('10.0.0.2')]);
    const at = (value: string, more: object = {}) => finding({ target: host(value), ...more });
    await report(
      taskId,
      at('10.0.0.1'),
      at('10.0.0.1', { title: 'Y' }),
      at('10.0.0.2'),
      at('10.0.0.1', { externalId: 'y' }),
    );
    expect(await counts(taskId)).toEqual({ critical: 0, high: 3, low: 0 });
    await report(taskId, at('10.0.0.1'), at('10.0.0.2', { severity: 'low' }));
    expect(await counts(taskId)).toEqual({ critical: 0, high: 2, low: 1 });
    await report(taskId, at('10.0.0.2', { severity: 'critical' }));
    expect(await counts(taskId)).toEqual({ critical: 1, high: 2, low: 0 });
  });

  test('are counted up to as many as fit a row', async () => {
    const taskId = await hold([host('10.0.0.1')]);
    const severities = Object.fromEntries(Array.from({ length: 4999 }, (_, n) => [`k${n}`, 'low' as const]));
    await world.table.rows(reportedRows).put({ taskId, rev: 1, severities });
    await report(taskId, finding());
    expect(await counts(taskId)).toMatchObject({ high: 1 });
    expect(await answers(taskId, finding({ externalId: 'y' }))).toEqual(['taken']);
    expect(await counts(taskId)).toMatchObject({ high: 1 });
  });

  test('sent again are imported once', async () => {
    const taskId = await hold([host('10.0.0.1')]);
    const first = await report(taskId, finding());
    expect(await report(taskId, finding())).toEqual(first);
    expect((await world.read(taskId)).ingestTaskIds).toEqual([first.taskId]);
  });

  test('that are all refused leave the task as it was, and the answer is remembered', async () => {
    const taskId = await hold([host('10.0.0.1')]);
    const before = await world.read(taskId);
    const { taskId: noted, results } = await report(taskId, finding({ title: '' }), { title: 'no id' });
    expect(results).toMatchObject([
      { externalId: 'x', accepted: false, code: 'validation_failed' },
      { externalId: '', accepted: false, code: 'validation_failed' },
    ]);
    expect(await world.read(taskId)).toEqual(before);
    expect(await world.table.rows(taskRows).find({ id: noted })).toMatchObject({
      status: 'succeeded',
      result: { accepted: 0 },
    });
  });

  test('are refused of a task that the appliance does not hold', async () => {
    const { id } = await world.make();
    await expect(report(id, finding())).rejects.toMatchObject({ code: 'conflict' });
  });
});
