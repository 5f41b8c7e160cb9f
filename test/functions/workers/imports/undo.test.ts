import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { readingKeyOf } from '#shared/findings/view/scope-state.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { type Submission, taskFiles } from '#shared/ingest/submission.ts';
import { canBeUndone } from '#shared/ingest/undo.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { eachWrite } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from './crash.ts';
import { allFindings, contents, expectSound, statuses } from './expectations.ts';
import { codeScan, type Problem, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());
const victim = await makeVictim(world.connections);

const known = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { rule: name, file: `src/${name}.ts` }]));
const report = (names: string, more = {}) =>
  codeScan(sarif([...names].map((name) => known[name] as Problem)), { scanType: 'sast', ...more });
const seen = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));

async function undo(table: Table, taskId: string) {
  const queued = await queueUndo({ connections: world.connections, table }, taskId);
  await world.drain();
  return world.task(table, queued.taskId);
}

/** A finding that stands, one that was repaired, and then the mistake: it closes `b`, opens `c` again and makes `d`. */
async function mistaken(table: Table): Promise<string> {
  await world.ingest(table, report('abc'));
  await world.ingest(table, report('ab'));
  return (await world.ingest(table, report('acd'))).id;
}

const before = { 'src/a.ts': 'open', 'src/b.ts': 'open', 'src/c.ts': 'fixed' };

describe('an import that was a mistake', () => {
  test('is undone: what it made is gone, what it closed is open, what it opened again is fixed', async () => {
    const table = world.newOrganization();
    const taskId = await mistaken(table);
    expect(await seen(table)).toEqual({ ...before, 'src/b.ts': 'fixed', 'src/c.ts': 'open', 'src/d.ts': 'open' });
    const task = await undo(table, taskId);
    expect(task).toMatchObject({ status: 'succeeded', result: { deleted: 1, opened: 1, fixed: 1, keptCount: 0 } });
    expect(await seen(table)).toEqual(before);
    const [, , c] = (await allFindings({ connections: world.connections, table })).sort((one, two) =>
      one.location < two.location ? -1 : 1,
    );
    expect(c).toMatchObject({ reopenedCount: 0, fixedAt: expect.any(String), links: { fixedBy: expect.any(String) } });
    await expectSound(table);
    await expectExact(table, [importedReports]);
  });

  test('leaves later scans to close and open the findings as if it had never come', async () => {
    const table = world.newOrganization();
    await undo(table, await mistaken(table));
    expect((await world.ingest(table, report('ab'))).result).toMatchObject({ unchanged: 2, closed: 0, created: 0 });
    expect((await world.ingest(table, report('a'))).result).toMatchObject({ unchanged: 1, closed: 1 });
    expect((await world.ingest(table, report('ac'))).result).toMatchObject({ unchanged: 1, reopened: 1 });
    expect(await seen(table)).toEqual({ 'src/a.ts': 'open', 'src/b.ts': 'fixed', 'src/c.ts': 'open' });
  });

  test('leaves no asset that only it named, and keeps one of which a person said something', async () => {
    const table = world.newOrganization();
    const named = ['alone', 'rated', 'known'].map(repository);
    const imported = (target: Submission['target']) => report('a', { target });
    await world.ingest(table, imported(named[2]));
    const tasks = [];
    for (const target of named) tasks.push((await world.ingest(table, imported(target))).id);
    const all = { paginateFrom: 0, paginateSize: 10 };
    const [rated] = (await table.list(assets, { ...all, search: 'rated' })).data;
    await table.modify(assets, rated?.id ?? '', () => ({ criticality: 'critical' as const }));
    const undone = [];
    for (const taskId of tasks) undone.push((await undo(table, taskId)).result?.assets);
    expect(undone).toEqual([
      { deleted: 1, kept: 0 },
      { deleted: 0, kept: 1 },
      { deleted: 0, kept: 0 },
    ]);
    const left = (await table.list(assets, all)).data.map(({ value }) => value.split('/').at(-1));
    expect(left.sort()).toEqual(['known', 'rated']);
    await world.ingest(table, imported(named[0]));
    expect(await seen(table)).toMatchObject({ 'src/a.ts': 'open' });
    await expectExact(table, [assets]);
  });

  test('may be sent again, and makes its findings anew', async () => {
    const table = world.newOrganization();
    const first = await world.ingest(table, report('ab'));
    await undo(table, first.id);
    expect(await seen(table)).toEqual({});
    expect((await world.ingest(table, report('ab'))).result).toMatchObject({ created: 2 });
    expect(
      (await allFindings({ connections: world.connections, table })).map(({ occurrences }) => occurrences),
    ).toEqual([1, 1]);
    await expectSound(table);
  });

  test('that came twice is taken back by undoing both, the later one first', async () => {
    const table = world.newOrganization();
    const [first, second] = [await world.ingest(table, report('ab')), await world.ingest(table, report('ab'))];
    expect(await undo(table, second.id)).toMatchObject({ result: { deleted: 0, keptCount: 0 } });
    expect(await undo(table, first.id)).toMatchObject({ result: { deleted: 2, keptCount: 0 } });
    expect(await seen(table)).toEqual({});
    expect((await world.ingest(table, report('ab'))).result).toMatchObject({ created: 2, unchanged: 0 });
    await expectSound(table);
  });

  test('ends its held closing', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(30))));
    const held = await world.ingest(table, codeScan(sarif([])));
    await undo(table, held.id);
    const { data } = await table.list(importedReports, { paginateFrom: 0, paginateSize: 5, where: { held: 'true' } });
    expect(data).toEqual([]);
    expect((await world.ingest(table, codeScan(sarif([])))).result).toMatchObject({ held: { count: 30 } });
  });
});

describe('what a later scan says stays', () => {
  const kept = async (table: Table, taskId: string) => {
    const { result } = await undo(table, taskId);
    const { kept: all } = result as { kept: { message: string }[] };
    return all.map(({ message }) => message.split(':')[0]);
  };

  test('findings that it saw or closed', async () => {
    const table = world.newOrganization();
    const first = await world.ingest(table, report('abc'));
    await world.ingest(table, report('a'));
    expect(await kept(table, first.id)).toEqual([
      'A later scan closed it',
      'A later scan closed it',
      'A later scan saw it.',
    ]);
    expect(await seen(table)).toEqual({ 'src/a.ts': 'open', 'src/b.ts': 'fixed', 'src/c.ts': 'fixed' });
    await expectSound(table);
  });

  test('findings that a scan of another profile saw', async () => {
    const table = world.newOrganization();
    const first = await world.ingest(table, report('ab'));
    await world.ingest(table, report('b', { scanType: 'quick' }));
    expect(await kept(table, first.id)).toEqual(['A later scan saw it.']);
    expect(await seen(table)).toEqual({ 'src/b.ts': 'open' });
  });

  test('findings that it does not find either', async () => {
    const table = world.newOrganization();
    await world.ingest(table, report('abc'));
    const second = await world.ingest(table, report('a'));
    await world.ingest(table, report('ab'));
    expect(await kept(table, second.id)).toEqual(['A later scan does not find it either']);
    expect(await seen(table)).toEqual({ 'src/a.ts': 'open', 'src/b.ts': 'open', 'src/c.ts': 'fixed' });
  });
});

test('an import of more than 30 days ago is not undone, and the reason is told', async () => {
  const table = world.newOrganization();
  const { id } = await world.ingest(table, report('a'));
  const later = nowMs() + 31 * 86_400_000;
  setClock(() => later);
  await expect(queueUndo({ connections: world.connections, table }, id)).rejects.toMatchObject({
    message: /more than 30 days old/,
  });
});

test('an undoing of many findings lets other imports go first, and counts each finding once', async () => {
  const table = world.newOrganization();
  const { id } = await world.ingest(table, codeScan(sarif(problems(700))));
  let now = Date.now();
  setClock(() => {
    now += 400;
    return now;
  });
  const queued = await queueUndo({ connections: world.connections, table }, id);
  await world.deliver();
  expect(world.messages).toHaveLength(1);
  await world.drain();
  expect((await world.task(table, queued.taskId)).result).toMatchObject({ deleted: 700, keptCount: 0 });
  expect(await seen(table)).toEqual({});
  await expectSound(table);
});

async function killedAt(kill?: { write: number; when: 'before' | 'after' }) {
  const table = world.newOrganization();
  const taskId = await mistaken(table);
  const queued = await queueUndo({ connections: world.connections, table }, taskId);
  const [message] = world.messages;
  if (kill) victim.killAt(kill.write, kill.when);
  await world.deliver();
  const died = victim.isDead();
  victim.restart();
  if (died && message && !world.messages.includes(message)) world.messages.unshift(message);
  await world.drain();
  const { result } = await world.task(table, queued.taskId);
  expect((await world.ingest(table, report('a'))).result).toMatchObject({ unchanged: 1, closed: 1 });
  await expectSound(table);
  await expectExact(table, [importedReports]);
  const all = JSON.stringify({ result, ...(await contents({ connections: world.connections, table })) });
  const byChance = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{12}Z/g;
  return { died, outcome: JSON.parse(all.replaceAll(byChance, '-')) };
}

test.each(['before', 'after'] as const)(
  'an undoing killed %s any of its writes ends as an undisturbed one',
  async (when) => {
    const { outcome: expected } = await killedAt();
    for (let write = 1; ; write += eachWrite(9)) {
      const { died, outcome } = await killedAt({ write, when });
      expect({ write, ...outcome }).toEqual({ write, ...expected });
      if (died) continue;
      expect(write).toBeGreaterThan(5);
      return;
    }
  },
);

/** An import whose worker dies at this write, and whose report is gone when the work is to go on, with what was read of it. */
async function failedAt(table: Table, write: number): Promise<{ taskId: string; died: boolean }> {
  const taskId = await world.accept(table, report('acd'));
  const [message] = world.messages;
  victim.killAt(write, 'after');
  await world.deliver();
  const died = victim.isDead();
  victim.restart();
  if (died && message && !world.messages.includes(message)) world.messages.unshift(message);
  const { input } = await world.task(table, taskId);
  const { report: sent } = taskFiles(table.organizationId, taskId);
  await world.connections.bucket.remove([sent, readingKeyOf(table, String(input.scope))]);
  while ((world.messages[0]?.received ?? jobs.ingest.attempts) < jobs.ingest.attempts) await world.deliver();
  world.messages.length = 0;
  return { taskId, died };
}

test('an import that failed half-way is undone, wherever it stopped, and its message that comes again changes nothing', async () => {
  let undone = 0;
  for (let write = 1; ; write += eachWrite(5)) {
    const table = world.newOrganization();
    await world.ingest(table, report('abc'));
    await world.ingest(table, report('ab'));
    const { taskId, died } = await failedAt(table, write);
    if (!died) break;
    const current = await table.findUnique(importedReports, { field: 'task', value: taskId }, true);
    if (current && canBeUndone(current)) {
      expect(await undo(table, taskId)).toMatchObject({ status: 'succeeded', result: { keptCount: 0 } });
      if (current.status === 'failed') undone += 1;
      await redrive(table, taskId);
    }
    expect({ write, ...(await seen(table)) }).toEqual({ write, ...before });
    expect((await world.ingest(table, report('a'))).result).toMatchObject({ unchanged: 1, closed: 1 });
    await expectSound(table);
    await expectExact(table, [importedReports]);
  }
  expect(undone).toBeGreaterThan(1);
});

/** Delivers the message of an import again, as a redrive does. */
async function redrive(table: Table, taskId: string): Promise<void> {
  const { organizationId } = table;
  await world.connections.queues.send(
    'ingest.fifo',
    { organizationId, taskId },
    { group: 'again', deduplicationId: `again-${taskId}` },
  );
  await world.drain();
}
