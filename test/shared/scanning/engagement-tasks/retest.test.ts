import { expect, test } from 'vitest';
import { type AssetIdentity, assets } from '#shared/assets/asset/asset.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { retestOf } from '#shared/scanning/engagement-tasks/retest.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { requestEngagement } from '../../../support/engagement-worker.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

async function world(targets: string[], more: Partial<Engagement> = {}) {
  const { table, connections } = newWorld(store.dynamo);
  const { engagement } = await requestEngagement({ table, connections }, { targets });
  if (Object.keys(more).length > 0) await table.modify(engagements, engagement.id, () => more);
  return { table, connections, engagement };
}

async function found(
  table: Table,
  engagementId: string | undefined,
  { count = 1, ...of }: Partial<AssetIdentity> & { count?: number },
) {
  const identity = { type: 'host', value: '10.0.0.1', zone: null, ...of } as const;
  const about = {
    criticality: 'medium' as const,
    internetExposed: null,
    tags: [],
    firstSeenAt: '2026-01-05T08:00:00.000Z',
  };
  const { id } = await table.create(assets, { ...identity, ...about, name: identity.value });
  return Array.from({ length: count }, () => ({ id: newId(), engagementId, asset: { id } }));
}

test('findings are tested again by the engagement that found most of them, on the targets where they lie', async () => {
  const { table, connections, engagement } = await world(['10.0.0.1', '10.0.0.2', '10.1.0.0/16', '10.2.0.0/16']);
  const { engagement: other } = await requestEngagement({ table, connections }, { targets: ['10.0.0.9'] });
  const own = [
    ...(await found(table, engagement.id, { value: '10.0.0.2' })),
    ...(await found(table, engagement.id, { value: '10.1.7.7' })),
  ];
  const others = await found(table, other.id, { value: '10.0.0.9' });
  const byHand = await found(table, undefined, { value: '10.0.0.1', count: 3 });
  const again = await retestOf(table, { found: [...others, ...byHand, ...own], title: 'Old Log4j' });
  expect(again).toMatchObject({
    title: 'Retest: Old Log4j',
    kind: 'retest',
    taskTypes: engagement.taskTypes,
    targets: [{ value: '10.0.0.2' }, { value: '10.1.0.0/16' }],
    retestOf: { engagementId: engagement.id, findingIds: own.map(({ id }) => id) },
  });
});

test('a retest names the first 200 of its findings', async () => {
  const { table, engagement } = await world(['10.0.0.1']);
  const many = await found(table, engagement.id, { count: 201 });
  const again = await retestOf(table, { found: many, title: 'x'.repeat(300) });
  expect(again?.retestOf?.findingIds).toEqual(many.slice(0, 200).map(({ id }) => id));
  expect(again?.title.length).toBeLessThanOrEqual(200);
});

test.each<[string, Partial<Engagement>, Partial<AssetIdentity>]>([
  ['that makes no tasks of scanners', { taskTypes: [] }, {}],
  ['whose targets have changed since', {}, { value: '10.0.0.3' }],
  ['of hosts of the same name in another zone', {}, { zone: 'dmz' }],
  ['of things that nobody scans', {}, { type: 'edr_device' }],
])('an engagement %s is not repeated', async (_name, more, of) => {
  const { table, engagement } = await world(['10.0.0.1'], more);
  const one = await found(table, engagement.id, of);
  expect(await retestOf(table, { found: one, title: 'Again' })).toBeUndefined();
});

test('findings without an engagement, or with a deleted one, get no retest', async () => {
  const { table } = await world(['10.0.0.1']);
  const of = async (engagementId: string | undefined, value: string) =>
    retestOf(table, { found: await found(table, engagementId, { value }), title: 'Again' });
  expect(await of(undefined, '10.0.0.1')).toBeUndefined();
  expect(await of(newId(), '10.0.0.2')).toBeUndefined();
  expect(await retestOf(table, { found: [], title: 'Again' })).toBeUndefined();
});
