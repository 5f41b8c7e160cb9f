import { afterAll, afterEach, expect, test } from 'vitest';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { planOf, seeds, startFaultyWorld, workAll } from '../../../support/fault-plan.ts';
import { expectSound } from '../imports/expectations.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const COUNT = 60;

const rule = (n: number): string => `title: Rule ${n}
id: pack-${n}
name: rule_${n}
logsource: { product: windows }
detection:
  selection: { Image|endswith: 'tool-${n}.exe' }
  condition: selection
`;

const counting = `title: Counts
id: counts
correlation:
  type: event_count
  rules: [rule_0, rule_1]
  group-by: [host]
  timespan: 5m
  condition: { gte: 3 }
`;

test.each(seeds)('plan %i of faults and kills imports each rule of a pack once', async (seed) => {
  const plan = planOf(seed);
  const ann = { kind: 'user', id: 'ann', name: 'Ann' } as const;
  const table = openTable(world.connections.dynamo, world.newOrganization().organizationId, ann);
  const key = `packs/${newId()}`;
  await world.connections.bucket.put(
    key,
    [counting, ...Array.from({ length: COUNT }, (_, n) => rule(n))].join('---\n'),
  );
  const request = { id: newId(), operation: 'import_detection_rules', job: 'ingest', unit: 'rules' } as const;
  const task = newTask(table.actor, { ...request, input: { key, name: 'pack.yml', enabled: true } });
  await queueNewTask({ connections: world.connections, table }, { task, send: { group: table.organizationId } });
  await workAll(world, plan);
  const { status, result } = await world.task(table, task.id);
  expect({ status, result }).toMatchObject({
    status: 'succeeded',
    result: { created: COUNT + 1, updated: 0, unchanged: 0, refusedCount: 0 },
  });
  const { data, totalCount } = await table.list(detectionRules, {
    paginateFrom: 0,
    paginateSize: 100,
    where: { origin: 'custom' },
  });
  expect(totalCount).toBe(COUNT + 1);
  expect(new Set(data.map(({ sigmaId }) => sigmaId)).size).toBe(COUNT + 1);
  const correlation = data.find(({ sigmaId }) => sigmaId === 'counts');
  expect(correlation?.counts).toHaveLength(2);
  await expectSound(table);
});
