import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { saveRule } from '#shared/findings/suppression/save.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound, statuses } from '../imports/expectations.ts';
import { codeScan, problems, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const ann = { id: 'ann', name: 'Ann' };

async function makeRule(table: Table, fields: Partial<SuppressionRule>): Promise<SuppressionRule> {
  const [id = ''] = await table.reserve(suppressionRules, 1);
  const rule = table.stamp<SuppressionRule>({
    id,
    name: 'Generated',
    enabled: true,
    conditions: { tool: 'acme-scan' },
    status: 'risk_accepted' as const,
    reason: 'generated code',
    expiresAt: null,
    order: 100,
    approver: ann,
    taskId: id,
    ...fields,
  });
  return saveRule({ connections: world.connections, table }, rule);
}

const ofAll = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));

test('an accepted risk of a rule ends with the rule, for earlier and for later findings', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(2))));
  const expiresAt = inSeconds(3_600);
  const { taskId } = await makeRule(table, { expiresAt });
  await world.drain();
  expect(await world.task(table, taskId)).toMatchObject({ status: 'succeeded', result: { changed: 2 } });
  await world.ingest(table, codeScan(sarif(problems(4))));
  const suppressed = await allFindings({ connections: world.connections, table });
  expect(suppressed.map(({ acceptance }) => acceptance)).toEqual(
    suppressed.map(() => ({ reason: 'generated code', approver: ann, until: expiresAt })),
  );
  expect(await table.facets(findings)).toMatchObject({ 'status:risk_accepted': 4 });
  const later = nowMs() + 3_601_000;
  setClock(() => later);
  await sweep(world.connections);
  await world.drain();
  expect(Object.values(await ofAll(table))).toEqual(['open', 'open', 'open', 'open']);
  await sweep(world.connections);
  expect(world.messages).toEqual([]);
  await expectSound(table);
});

test('a rule that is made while a report is read holds for its later findings too', async () => {
  const table = world.newOrganization();
  await world.accept(table, codeScan(sarif(problems(3_000))));
  let time = Date.now();
  setClock(() => {
    time += 2_000;
    return time;
  });
  expect(await world.deliver()).toBe(true);
  const made = (await table.facets(findings))['status:open'] ?? 0;
  expect(made).toBeLessThan(3_000);
  await makeRule(table, { status: 'out_of_scope' });
  await world.drain();
  expect(await table.facets(findings)).toMatchObject({ 'status:open': 0, 'status:out_of_scope': 3_000 });
  await expectSound(table);
});
