import * as fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { assetHandlers } from '#functions/assets/assets/handlers.ts';
import { applicationAssetHandlers } from '#functions/exposure/application-assets/handlers.ts';
import { applicationRuleHandlers } from '#functions/exposure/application-rules/handlers.ts';
import { applicationHandlers } from '#functions/exposure/applications/handlers.ts';
import { assetTagRuleHandlers } from '#functions/exposure/asset-tag-rules/handlers.ts';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { assetTagRules } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { conditionCompiler, seenAsset } from '#shared/exposure/asset-rules/condition.ts';
import { assetRuleFollower } from '#shared/exposure/asset-rules/follow.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { findingDraft } from '../../../support/findings.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

class Killed extends Error {}

/** Time goes a thousand times as fast: changes rest before they are followed. */
function hurry(): void {
  const [start, began] = [Date.now(), performance.now()];
  setClock(() => Math.floor(start + (performance.now() - began) * 1000));
}

const page = { paginateFrom: 0, paginateSize: 500 };
const all = { applications, applicationRules, applicationExclusions, assets, assetTagRules, findings };

const condition = fc.oneof(
  fc.constantFrom('a*', 'b*', '*-1').map((value) => ({ field: 'hostname', operator: 'matches', value })),
  fc.constantFrom('hand', 'by-rule').map((value) => ({ field: 'tag', operator: 'equals', value })),
  fc.constant({ not: { field: 'zone', operator: 'exists' } }),
);
const nth = fc.nat(5);
const step = fc.oneof(
  fc.record({
    do: fc.constant('host' as const),
    name: fc.constantFrom('a', 'b'),
    zone: fc.constantFrom(null, 'plant'),
  }),
  fc.record({ do: fc.constant('tag' as const), n: nth, tags: fc.subarray(['hand', 'other']) }),
  fc.record({ do: fc.constant('link' as const), n: nth, of: nth }),
  fc.record({ do: fc.constant('unlink' as const), n: nth, of: nth, alsoExclude: fc.boolean() }),
  fc.record({ do: fc.constant('exclude' as const), n: nth, of: nth, condition: fc.option(condition) }),
  fc.record({ do: fc.constantFrom('include' as const, 'noRule' as const, 'noTagRule' as const), n: nth }),
  fc.record({ do: fc.constant('rule' as const), of: nth, condition }),
  fc.record({ do: fc.constant('tagRule' as const), condition }),
  fc.record({ do: fc.constantFrom('merge' as const, 'retire' as const, 'delete' as const), n: nth, of: nth }),
  fc.record({ do: fc.constantFrom('noApplication' as const, 'follow' as const, 'work' as const), of: nth }),
);
type Step = (typeof step extends fc.Arbitrary<infer S> ? S : never) & { n?: number; of?: number };

const caller = { id: 'somebody', name: 'somebody', kind: 'service_account' as const, role: 'admin' as const };

/** A request through a connection that may break: its caller gets no answer, and goes on. */
async function request(
  table: Table,
  { handler, params = {}, body = {} }: { handler: unknown; params?: object; body?: object },
) {
  const call = {
    table,
    connections: { ...world.connections, dynamo: table.dynamo },
    caller,
    params,
    body,
    query: page,
  };
  try {
    await (handler as (call: object) => Promise<unknown>)(call);
  } catch (error) {
    if (!(error instanceof Killed) && !(error instanceof ApiError)) throw error;
  }
}

const idsIn = async (table: Table, name: keyof typeof all) =>
  (await table.list(all[name] as typeof assets, page)).data.map(({ id }) => id);
const idAt = (ids: readonly string[], n = 0): string =>
  ids[n % Math.max(1, ids.length)] ?? '0197b8a2-4c00-7000-8000-000000000001';

async function follow(table: Table): Promise<void> {
  await keepViews(table, [], () => false, assetRuleFollower({ connections: world.connections, table }));
}

let hosts = 0;

/** Turns faults on for what a user or the follower does, and off for what the test reads. */
let risk = { set: (_on: boolean): unknown => undefined };

async function take(calm: Table, one: Step): Promise<void> {
  const asset = idAt(await idsIn(calm, 'assets'), one.n);
  const id = idAt(await idsIn(calm, 'applications'), one.of);
  const ask = async (handler: unknown, params: object, body: object = {}) => {
    risk.set(true);
    await request(calm, { handler, params, body }).finally(() => risk.set(false));
  };
  const own = applicationAssetHandlers;
  if (one.do === 'host') {
    hosts += 1;
    const value = `${one.name}${hosts}-${hosts % 2}`;
    await request(calm, {
      handler: assetHandlers.createAsset,
      body: { type: 'host', value, zone: one.zone, tags: [], criticality: 'medium', internetExposed: null },
    });
    const made = (await calm.list(assets, page)).data.find((other) => other.value === value);
    if (made)
      await calm.create(
        findings,
        findingDraft(now(), { asset: { id: made.id, type: 'host', name: value, zone: one.zone } }),
      );
  } else if (one.do === 'tag') await ask(assetHandlers.updateAsset, { id: asset }, { tags: one.tags });
  else if (one.do === 'link')
    await ask(own.createAssetMapping, { id }, { assetId: asset, environmentId: null, note: null });
  else if (one.do === 'unlink')
    await ask(own.bulkUnlinkAssets, { id }, { assetIds: [asset], alsoExclude: one.alsoExclude });
  else if (one.do === 'exclude') {
    const what = one.condition ? { assetId: null, condition: one.condition } : { assetId: asset, condition: null };
    await ask(own.createAssetExclusion, { id }, { ...what, reason: 'x', expiresAt: null });
  } else if (one.do === 'include') {
    const { data } = await calm.list(applicationExclusions, page);
    const chosen = data[one.n % Math.max(1, data.length)];
    if (chosen) await ask(own.deleteAssetExclusion, { id: chosen.applicationId, exclusion_id: chosen.id });
  } else if (one.do === 'rule')
    await ask(
      applicationRuleHandlers.createAssetRule,
      { id },
      { name: 'r', enabled: true, environmentId: null, condition: one.condition },
    );
  else if (one.do === 'noRule') {
    const { data } = await calm.list(applicationRules, page);
    const chosen = data[one.n % Math.max(1, data.length)];
    if (chosen) await ask(applicationRuleHandlers.deleteAssetRule, { id: chosen.applicationId, rule_id: chosen.id });
  } else if (one.do === 'tagRule')
    await ask(
      assetTagRuleHandlers.createAssetTagRule,
      {},
      { name: 't', enabled: true, condition: one.condition, tags: ['by-rule'] },
    );
  else if (one.do === 'noTagRule')
    await ask(assetTagRuleHandlers.deleteAssetTagRule, { id: idAt(await idsIn(calm, 'assetTagRules'), one.n) });
  else if (one.do === 'merge')
    await ask(assetHandlers.mergeAssets, { id: asset }, { intoId: idAt(await idsIn(calm, 'assets'), one.of) });
  else if (one.do === 'retire') await ask(assetHandlers.retireAsset, { id: asset });
  else if (one.do === 'delete') await ask(assetHandlers.deleteAsset, { id: asset });
  else if (one.do === 'noApplication') {
    // one is left, so that links and rules go on
    if ((await idsIn(calm, 'applications')).length > 1) await ask(applicationHandlers.deleteApplication, { id });
  } else if (one.do === 'follow') {
    risk.set(true);
    await follow(calm)
      .catch((error: unknown) => {
        if (!(error instanceof Killed) && !(error instanceof ApiError)) throw error;
      })
      .finally(() => risk.set(false));
  } else if (world.messages.length > 0) await world.deliver();
}

/** The applications and tags of rules of each asset, by trying every rule on every asset. */
async function recounted(table: Table) {
  const [current, rules, tagging, excluding, software] = await Promise.all([
    table.list(assets, page),
    table.list(applicationRules, page),
    table.list(assetTagRules, page),
    table.list(applicationExclusions, page),
    table.list(applications, page),
  ]);
  const known = new Set(software.data.map(({ id }) => id));
  const compile = await conditionCompiler();
  return current.data.map((asset) => {
    const meets = (tags: readonly string[]) => (one: { condition: AssetCondition | null }) =>
      !asset.retiredAt &&
      one.condition !== null &&
      compile(one.condition).test(seenAsset({ ...asset, tags: [...tags], ruleTags: undefined }));
    const ruleTags = tagging.data.some(meets(asset.tags)) ? ['by-rule'] : [];
    const met = meets([...asset.tags, ...ruleTags]);
    const excluded = [
      ...excluding.data.filter(met),
      ...excluding.data.filter((one) => (asset.exclusions ?? []).some(({ exclusionId }) => exclusionId === one.id)),
    ];
    const isOut = ({ applicationId }: { applicationId: string }) =>
      excluded.some((one) => one.applicationId === applicationId);
    const byRule = rules.data.filter((rule) => met(rule) && !isOut(rule));
    const linked = [...(asset.links ?? []), ...byRule]
      .map(({ applicationId }) => applicationId)
      .filter((id) => known.has(id));
    return {
      id: asset.id,
      ruleTags,
      applications: [...new Set(linked)].sort(),
      exclusions: (asset.exclusions ?? []).length,
    };
  });
}

async function found(table: Table) {
  const excluding = await table.list(applicationExclusions, page);
  const isKnown = (id: string) => excluding.data.some((one) => one.id === id);
  return (await table.list(assets, page)).data.map(
    (asset: Pick<Asset, 'id' | 'ruleTags' | 'links' | 'ruleLinks' | 'exclusions'>) => ({
      id: asset.id,
      ruleTags: asset.ruleTags ?? [],
      applications: applicationsOf(asset),
      exclusions: (asset.exclusions ?? []).filter(({ exclusionId }) => isKnown(exclusionId)).length,
    }),
  );
}

test('whatever order links, rules, exclusions, merges and kills come in, assets and findings end as a recount says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), fc.nat(), async (steps, seed) => {
      hurry();
      const random = dice(seed);
      const calm = world.newOrganization();
      let risky = false;
      const end = injectFaults(world.connections.dynamo, {
        random: () => (risky ? random() : 1),
        conflict: 0.05,
        throttle: 0.02,
        lost: 0.05,
        unprocessed: 0.1,
        before: () => {
          if (risky && random() < 0.01) throw new Killed();
        },
      });
      for (const name of ['One', 'Two'])
        await request(calm, {
          handler: applicationHandlers.createApplication,
          body: {
            name,
            criticality: 'medium',
            memberIds: [],
            tags: [],
            description: null,
            ownerId: null,
            internetExposed: null,
            dataClassification: null,
          },
        });
      for (const name of ['a', 'b', 'a'] as const) await take(calm, { do: 'host', name, zone: null });
      risk = { set: (on) => (risky = on) };
      for (const one of steps) await take(calm, one);
      end();
      for (let round = 0; round < 3; round++) {
        await world.drain();
        await follow(calm);
      }
      expect(await found(calm)).toEqual(await recounted(calm));
      const current = new Map((await calm.list(assets, page)).data.map((asset) => [asset.id, applicationsOf(asset)]));
      for (const finding of (await calm.list(findings, page)).data)
        expect(finding.applicationIds ?? []).toEqual(current.get(finding.asset.id) ?? []);
      await expectExact(calm, [assets, applicationRules, applicationExclusions, assetTagRules, findings]);
    }),
    { numRuns: runs(2, 8), endOnFailure: true },
  );
});
