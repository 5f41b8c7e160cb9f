import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { findingAsset } from '#shared/findings/finding/assets.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { allSeen } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import { scopeOf } from '#shared/ingest/submission.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { dayOf, goToDay } from './days.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, networkScan, nmap, type Problem, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const report = (names: string, more: Partial<Problem> = {}, about = {}) =>
  codeScan(sarif([...names].map((name) => ({ rule: name, file: `src/${name}.ts`, ...more }))), about);
const seen = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));

async function undo(table: Table, taskId: string) {
  const queued = await queueUndo({ connections: world.connections, table }, taskId);
  await world.drain();
  return (await world.task(table, queued.taskId)).result;
}

async function change(table: Table, name: string, changes: (it: StoredFinding) => Partial<StoredFinding>) {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 10 });
  await table.modify(findings, data.find(({ ruleId }) => ruleId === name)?.id ?? '', changes);
}

test.each<[string, Partial<Asset>]>([
  ['whose owner', { ownerId: 'kim' }],
  ['whose agent', { agentId: newId() }],
  ['whose exposure', { internetExposed: true }],
  ['whose absence from the internet', { internetExposed: false }],
  ['whose tags', { tags: ['shop'] }],
])('an asset %s somebody named stays when the import that made it is undone', async (_name, said) => {
  const table = world.newOrganization();
  const { id } = await world.ingest(table, report('a', {}, { target: repository('said') }));
  const [asset] = (await table.list(assets, { paginateFrom: 0, paginateSize: 1 })).data;
  await table.modify(assets, asset?.id ?? '', () => said);
  expect(await undo(table, id)).toMatchObject({ deleted: 1, assets: { deleted: 0, kept: 1 } });
  expect(await table.find(assets, asset?.id ?? '')).toMatchObject(said);
});

test('of the assets that an undone import made those go on which nothing else was found', async () => {
  const table = world.newOrganization();
  const hosts = ['10.0.0.5', '10.0.0.6'].map((address) => ({ address, ports: [80] }));
  const { id } = await world.ingest(table, networkScan(nmap(hosts)));
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
  const used = data.find(({ value }) => value === '10.0.0.5');
  if (!used) throw new Error('the import made no asset');
  await table.create(findings, findingDraft(dayOf(0), { asset: findingAsset(used, used.id), location: 'by hand' }));
  expect(await undo(table, id)).toMatchObject({ assets: { deleted: 1, kept: 1 } });
  expect((await table.list(assets, { paginateFrom: 0, paginateSize: 10 })).data).toMatchObject([{ id: used.id }]);
});

describe('what a person decided since an import stays when it is undone', () => {
  test('of findings that it closed, and of those that it opened again', async () => {
    const table = world.newOrganization();
    await world.ingest(table, report('abcd'));
    await world.ingest(table, report('ab'));
    const { id } = await world.ingest(table, report('cd'));
    const dismissed = (it: StoredFinding) =>
      moveStatus(it, { to: 'false_positive', at: it.createdAt, reason: 'a test file' });
    await change(table, 'a', dismissed);
    await change(table, 'c', dismissed);
    expect(await undo(table, id)).toMatchObject({ opened: 1, fixed: 1, keptCount: 0 });
    expect(await seen(table)).toEqual({
      'src/a.ts': 'false_positive',
      'src/b.ts': 'open',
      'src/c.ts': 'false_positive',
      'src/d.ts': 'fixed',
    });
    await expectSound(table);
  });

  test('of findings that it closed and that somebody repaired himself', async () => {
    const table = world.newOrganization();
    await world.ingest(table, report('ab'));
    const { id } = await world.ingest(table, report('a'));
    for (const to of ['open', 'fixed'] as const)
      await change(table, 'b', (it) => moveStatus(it, { to, at: it.updatedAt, reason: 'I looked' }));
    expect(await undo(table, id)).toMatchObject({ opened: 0, keptCount: 0 });
    expect(await seen(table)).toEqual({ 'src/a.ts': 'open', 'src/b.ts': 'fixed' });
    await expectSound(table);
  });

  test('of findings that it opened again and that somebody repaired and opened since', async () => {
    const table = world.newOrganization();
    const returnOn = async (day: number, names: string) => {
      goToDay(day);
      return (await world.ingest(table, report(names))).id;
    };
    await returnOn(0, 'ab');
    await returnOn(1, 'a');
    const first = await returnOn(2, 'ab');
    await change(table, 'b', (it) => moveStatus(it, { to: 'fixed', at: dayOf(3), reason: 'repaired' }));
    await change(table, 'b', (it) => moveStatus(it, { to: 'open', at: dayOf(4), reason: 'not repaired' }));
    expect(await undo(table, first)).toMatchObject({ fixed: 0 });
    expect(await seen(table)).toMatchObject({ 'src/b.ts': 'open' });
  });

  test('and a finding that a later scan saw keeps that sighting', async () => {
    const table = world.newOrganization();
    const ids: string[] = [];
    for (const [day, text] of ['Old words', 'New words', 'Newest words'].entries()) {
      goToDay(day);
      ids.push((await world.ingest(table, report('a', { text }))).id);
    }
    expect(await undo(table, ids[1] ?? '')).toMatchObject({ restored: 0, unrestored: 1 });
    expect(await allFindings({ connections: world.connections, table })).toMatchObject([
      { description: 'Newest words', lastSeenAt: dayOf(2), occurrences: 3 },
    ]);
  });

  test('and a finding that it opened again and a later scan saw is closed by the next scan without it', async () => {
    const table = world.newOrganization();
    const ids: string[] = [];
    for (const [day, names] of ['ac', 'a', 'ac', 'ac'].entries()) {
      goToDay(day);
      ids.push((await world.ingest(table, report(names))).id);
    }
    expect(await undo(table, ids[2] ?? '')).toMatchObject({ fixed: 0, keptCount: 1 });
    goToDay(4);
    expect((await world.ingest(table, report('a'))).result).toMatchObject({ closed: 1 });
  });

  test('and the scan knows of no finding that is deleted or repaired, and once of one that a later scan saw', async () => {
    const table = world.newOrganization();
    const ids: string[] = [];
    for (const [day, names] of ['abcd', 'a', 'ab'].entries()) {
      goToDay(day);
      ids.push((await world.ingest(table, report(names))).id);
    }
    for (const to of ['open', 'fixed'] as const)
      await change(table, 'd', (it) => moveStatus(it, { to, at: dayOf(3), reason: 'I looked' }));
    const all = Object.fromEntries(
      (await allFindings({ connections: world.connections, table })).map(({ ruleId, id }) => [ruleId, id]),
    );
    await table.delete(findings, await table.get(findings, all.c ?? '', true));
    expect(await undo(table, ids[1] ?? '')).toMatchObject({ deleted: 0, opened: 0 });
    const state = await readScopeState(world.connections.bucket, table, scopeOf(report(''), 'sarif'));
    const seenAt = [...allSeen(state)].map(({ id, seenAt }) => [id, new Date(seenAt).toISOString()] as const);
    expect(new Map(seenAt)).toEqual(new Map(['a', 'b'].map((name) => [all[name], dayOf(2)])));
    expect(seenAt).toHaveLength(2);
  });

  test('of the date of a finding whose words it changed', async () => {
    const table = world.newOrganization();
    await world.ingest(table, report('ab', { text: 'Old words', level: 'warning' }));
    const before = await allFindings({ connections: world.connections, table });
    const { id } = await world.ingest(table, report('ab', { text: 'New words', level: 'error' }));
    await change(table, 'a', () => ({ dueAt: dayOf(100), dueChosen: true }));
    expect(await undo(table, id)).toMatchObject({ restored: 2, unrestored: 0 });
    const after = await allFindings({ connections: world.connections, table });
    expect(after.map(({ description }) => description)).toEqual(['Old words', 'Old words']);
    const due = Object.fromEntries(after.map(({ ruleId, dueAt, dueChosen }) => [ruleId, [dueAt, dueChosen]]));
    expect(due).toEqual({ a: [dayOf(100), true], b: [before.find(({ ruleId }) => ruleId === 'b')?.dueAt, false] });
    await expectSound(table);
  });
});
