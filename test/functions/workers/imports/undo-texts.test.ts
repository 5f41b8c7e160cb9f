import { afterAll, describe, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { expectExact } from '../../../support/verify.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap, type Problem, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

async function undo(table: Table, taskId: string) {
  const queued = await queueUndo({ connections: world.connections, table }, taskId);
  await world.drain();
  return world.task(table, queued.taskId);
}

describe('what an import changed of findings that stood', () => {
  const told = (text: string, level: Problem['level'], more = {}) =>
    codeScan(sarif([{ rule: 'a', file: 'src/a.ts', text, level }]), { scanType: 'sast', ...more });
  const shown = async (table: Table) => {
    const [{ id, title, severity, description } = {}] = await allFindings({ connections: world.connections, table });
    return { id, title, severity, description };
  };

  test('is as before when it is undone, and said again when the report is sent again', async () => {
    const table = world.newOrganization();
    await world.ingest(table, told('an old text', 'warning'));
    const former = await shown(table);
    const { id } = await world.ingest(table, told('a wrong text', 'error'));
    expect(await shown(table)).not.toEqual(former);
    const { result } = await undo(table, id);
    expect(result).toMatchObject({ restored: 1, unrestored: 0, keptCount: 0 });
    expect(await shown(table)).toEqual(former);
    expect((await world.ingest(table, told('an old text', 'warning'))).result).toMatchObject({ unchanged: 1 });
    expect((await world.ingest(table, told('a wrong text', 'error'))).result).toMatchObject({ updated: 1 });
    await expectSound(table);
    await expectExact(table, [importedReports]);
  });

  test('stays where a person or a later scan said something since, and is counted', async () => {
    const table = world.newOrganization();
    await world.ingest(table, told('an old text', 'warning'));
    const second = await world.ingest(table, told('a wrong text', 'error'));
    const { id = '' } = await shown(table);
    const current = await table.get(findings, id, true);
    await table.update(findings, current, { severity: 'low', severityOverridden: true });
    expect((await undo(table, second.id)).result).toMatchObject({ restored: 1, unrestored: 0 });
    expect(await shown(table)).toMatchObject({ severity: 'low', description: 'an old text' });
    const third = await world.ingest(table, told('another text', 'note'));
    await world.ingest(table, told('a right text', 'note'));
    expect((await undo(table, third.id)).result).toMatchObject({ restored: 0, unrestored: 1 });
    expect(await shown(table)).toMatchObject({ description: 'a right text' });
  });
});

describe('the inventory that an import told', () => {
  const scan = (ports: number[], more = {}) =>
    networkScan(nmap([{ address: '10.0.0.1', ports }]), { source: 'import', ...more });
  const host = async (table: Table) => {
    const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 5 });
    const { services, inventory } = await table.get(assets, data[0]?.id ?? '');
    return { ports: services?.map(({ port }) => port), sources: inventory?.map(({ source }) => source) };
  };

  test('goes from assets of which its source had told nothing, and comes again with the next report', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([80], { scanType: 'web' }));
    const { id } = await world.ingest(table, scan([80, 443], { scanType: 'network' }));
    expect(await host(table)).toEqual({ ports: [80, 443], sources: ['nmap/network', 'nmap/web'] });
    expect((await undo(table, id)).result).toMatchObject({ inventory: { removed: 1, kept: 0 } });
    expect(await host(table)).toEqual({ ports: [80], sources: ['nmap/web'] });
    await world.ingest(table, scan([80, 443], { scanType: 'network' }));
    expect(await host(table)).toMatchObject({ ports: [80, 443] });
  });

  test('stays where it replaced what its source told before, and is counted', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([80]));
    const { id } = await world.ingest(table, scan([80, 443]));
    expect((await undo(table, id)).result).toMatchObject({ inventory: { removed: 0, kept: 1 } });
    expect(await host(table)).toMatchObject({ ports: [80, 443] });
    await world.ingest(table, scan([80]));
    expect(await host(table)).toMatchObject({ ports: [80] });
  });

  test('stays as a later report of its source tells it', async () => {
    const table = world.newOrganization();
    const { id } = await world.ingest(table, scan([80]));
    await world.ingest(table, scan([80, 443]));
    await undo(table, id);
    expect(await host(table)).toEqual({ ports: [80, 443], sources: ['nmap/network'] });
  });

  test('goes with its system, unless another source knows that too', async () => {
    const table = world.newOrganization();
    const nessus =
      '<NessusClientData_v2><Report name="x"><ReportHost name="10.0.0.1"><HostProperties><tag name="HOST_END">x</tag>' +
      '<tag name="operating-system">Ubuntu 22.04</tag></HostProperties></ReportHost></Report></NessusClientData_v2>';
    const about = { format: 'nessus', source: 'import' } as const;
    await world.ingest(table, scan([80], { scanType: 'web' }));
    const told: string[] = [];
    for (const scanType of ['one', 'other'])
      told.push((await world.ingest(table, networkScan(nessus, { ...about, scanType }))).id);
    const systems: unknown[] = [];
    for (const id of told.toReversed()) {
      await undo(table, id);
      const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 5 });
      systems.push((await table.get(assets, data[0]?.id ?? '')).os?.name ?? null);
    }
    expect(systems).toEqual(['Ubuntu 22.04', null]);
  });
});
