import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { followUp } from '#shared/platform/feed/audit.ts';
import { follow } from '#shared/platform/feed/consumer.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { expectIndexed, expectSeenOnce, expectWholeLog, noting } from '../../../shared/platform/feed/world.ts';
import { CALM, type Plan, planOf, seeds, startFaultyWorld, upTo } from '../../../support/fault-plan.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const READERS = ['tickets', 'rules'];

/**
 * Messages are worked, and after each the readers work, each perhaps killed at one of its writes. What failed for good is
 * redriven at the end, when nothing fails any more.
 */
async function workAndRead(table: Table, plan: Plan): Promise<void> {
  const start = Date.parse('2026-01-15T08:00:00.250Z');
  const some = (of: number) => 1 + upTo(plan, of);
  const read = (work: () => Promise<unknown>) =>
    world.risk(plan, { kills: 0.5, within: 8 }, work).catch((error: Error) => void expect(error.name).toBe('Crash'));
  for (let minute = 1; world.messages.length > 0; minute++) {
    setClock(() => start + minute * 60_000);
    await world.deliverNext(plan, 0.5);
    await read(() => followUp(table));
    for (const reader of READERS) await read(() => follow(table, reader, noting(table, reader, some)));
  }
  world.begin(CALM);
  world.redrive();
  await world.deliverAll(CALM, 0);
  setClock(() => start + 86_400_000);
}

const versionsOf = async (table: Table): Promise<Map<string, number>> => {
  const range = { paginateFrom: 0, paginateSize: 500 };
  const pages = await Promise.all([
    table.list(findings, range),
    table.list(assets, range),
    table.list(branches, range),
    table.list(importedReports, range),
  ]);
  return new Map(pages.flatMap(({ data }) => data.map(({ id, version }) => [id, version] as const)));
};

test.each(seeds)(
  'plan %i of faults and kills shows each reader every change of an import once and in the order of the record',
  async (seed) => {
    const plan = planOf(seed);
    const table = world.newOrganization();
    for (const n of [1, 2, 3, 4]) {
      const seen = problems(9).filter(() => plan.random() < 0.6);
      await world.accept(
        table,
        codeScan(sarif(seen), { target: repository(n % 2 ? 'api' : 'web'), closeMissing: true }),
      );
    }
    world.begin(plan);
    await workAndRead(table, plan);
    while (await followUp(table));
    await expectWholeLog(table, await versionsOf(table));
    for (const reader of READERS) await expectSeenOnce(table, reader);
    await expectIndexed(table);
  },
);
