import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { AskedGroup } from '#functions/exposure/dashboards/mean-time-groups.ts';
import { meanTimes } from '#functions/exposure/dashboards/mean-time-overview.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Entity, Part, Stored } from '#shared/platform/table/entity.ts';
import { type Draft, openTable, type Table } from '#shared/platform/table/table.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { bare } from '../../../support/bare.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { findingDraft } from '../../../support/findings.ts';
import { bank, isIn, type Placed, placed, SCOPES, type Scope, shop, web } from '../../../support/parts.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();
afterEach(() => setClock());

const HOUR = 3_600_000;

/** The times of a record: hours before now, and hours that its work took. */
const life = fc.record({
  severity: fc.constantFrom(...Severity.options),
  age: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 20_000 })),
  seen: fc.boolean(),
  /** How often it was ended; after the last end it is open again, or not. */
  ends: fc.nat(2),
  isOpen: fc.boolean(),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

function timesOf({ age, seen, ends, isOpen }: Life) {
  const at = (share: number) => new Date(nowMs() - age * HOUR * (1 - share)).toISOString();
  const spans = Array.from({ length: ends }, (_, n) => ({
    at: at((n + 0.5) / (ends + 1)),
    seconds: Math.round((age * 1800) / (ends + 1)),
  }));
  const isEnded = ends > 0 && !isOpen;
  const returns = isEnded ? ends - 1 : ends;
  return {
    first: at(0),
    acknowledgedAt: seen ? at(0.1) : undefined,
    reopenedAt: returns > 0 ? at((returns - 0.2) / (ends + 1)) : undefined,
    reopenedCount: returns,
    repairs: spans.slice(0, returns),
    endedAt: isEnded ? spans.at(-1)?.at : undefined,
  };
}

type Made = { life: Life; place: Placed };

function aFinding({ life, place: { zone, applicationIds, ownerId } }: Made) {
  const { first, endedAt, ...times } = timesOf(life);
  return findingDraft(first, {
    ...times,
    severity: life.severity,
    status: endedAt ? 'fixed' : 'open',
    fixedAt: endedAt,
    asset: { id: newId(), type: 'host', name: 'web', zone },
    applicationIds: [...applicationIds],
    assetOwnerId: ownerId ?? undefined,
  });
}

function aVulnerability(made: Made) {
  const { asset, severity, status, applicationIds, assetOwnerId, ...times } = aFinding(made);
  const { firstSeenAt, reopenedAt, acknowledgedAt, fixedAt } = times;
  const about = {
    advisoryId: 'CVE-2021-44228',
    aliases: [],
    title: 'x',
    cvss: {},
    priority: 1,
    ssvc: 'track' as const,
  };
  const counts = { findingsCount: 1, tools: ['trivy'], tags: [], said: [] };
  const placed = { asset, applicationIds, assetOwnerId };
  const state = { severity, status: status === 'fixed' ? ('fixed' as const) : ('open' as const) };
  return { key: newId(), ...about, ...counts, ...placed, ...state, firstSeenAt, reopenedAt, acknowledgedAt, fixedAt };
}

const commonOf = ({ zone, applicationIds, ownerId }: Placed) => ({
  ...(zone !== null && { zone: zone.toLowerCase() }),
  ...(applicationIds.length > 0 && { applicationIds: [...applicationIds] }),
  ...(ownerId !== null && { assetOwnerId: ownerId }),
});

const worked = (life: Life) => {
  const { acknowledgedAt = null, reopenedAt = null, reopenedCount, repairs } = timesOf(life);
  return { severity: life.severity, acknowledgedAt, reopenedAt, reopenedCount, repairs };
};
const untitled = { title: 'x', description: null, assigneeId: null, assignee: null };

function anAlert({ life, place }: Made) {
  const { first, endedAt = null } = timesOf(life);
  const source = { kind: 'edr' as const, ruleId: null, ruleName: null, collectorId: null };
  const events = { source, attackTechniques: [], entities: [], dedupKey: null, eventCount: 1, lastEventAt: first };
  const status = endedAt ? ('resolved' as const) : ('new' as const);
  const own = { ...untitled, ...events, firstEventAt: first, incidentId: null, resolution: null };
  return { ...own, ...worked(life), status, resolvedAt: endedAt, common: commonOf(place) };
}

function anIncident({ life, place }: Made) {
  const { first, endedAt = null, acknowledgedAt = null } = timesOf(life);
  const status = endedAt ? ('closed' as const) : ('open' as const);
  const own = { ...untitled, memberIds: [], summary: null, lessons: null, detectedAt: first };
  return { ...own, ...worked(life), status, containedAt: acknowledgedAt, closedAt: endedAt, common: commonOf(place) };
}

/** One kind of records: what is drawn becomes a record of it. */
type Kind = { entity: Entity; draftOf: (made: Made) => Draft<Stored> };
const kindOf = <T extends Stored, D extends keyof T>(entity: Entity<T, D>, draftOf: (made: Made) => Draft<T>) =>
  ({ entity, draftOf }) as unknown as Kind;
const KINDS = {
  findings: kindOf(findings, aFinding),
  vulnerabilities: kindOf(vulnerabilities, aVulnerability),
  alerts: kindOf(alerts, anAlert),
  incidents: kindOf(incidents, anIncident),
};
type Name = keyof typeof KINDS;

const step = fc.record({
  kind: fc.constantFrom('make', 'make', 'make', 'old', 'work', 'move', 'bulk', 'delete'),
  pick: fc.nat(),
  life,
  place: placed,
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Alive = Map<string, Made & { record: Stored }>;

async function live(table: Table, { entity, draftOf }: Kind, alive: Alive, one: Step): Promise<void> {
  const made = { life: one.life, place: one.place };
  const known = [...alive.values()][one.pick % Math.max(1, alive.size)];
  if (one.kind === 'make' || one.kind === 'old') {
    // an earlier release, and who raises alerts, count no groups
    const by = one.kind === 'old' ? { ...entity, grouped: undefined } : entity;
    const record = await table.create(by, draftOf(made));
    alive.set(record.id, { ...made, record });
  } else if (known && one.kind === 'delete') {
    await table.delete(entity, known.record);
    alive.delete(known.record.id);
  } else if (known) {
    const next = { ...known, ...(one.kind === 'work' ? { life: one.life } : { place: one.place }) };
    const changes = { ...draftOf(next), fingerprint: Reflect.get(known.record, 'fingerprint') };
    const changed = table.changed(known.record, { ...changes, key: Reflect.get(known.record, 'key') } as never);
    const batch = table.batch(one.kind === 'bulk');
    alive.set(changed.id, { ...next, record: batch.update(entity, known.record, changed) });
    await batch.commit();
  }
}

/** Each zone and team is a sum; applications may have a record together, so that each is asked for. */
const asked = ({ zones = [], applicationIds = [], teamIds = [] }: Scope): AskedGroup[] => [
  ...zones.map((zone) => ({ zone })),
  ...applicationIds.map((applicationId) => ({ applicationId })),
  ...teamIds.map((ownerId) => ({ ownerId })),
];
const scopeOf = ({ zone, applicationId, ownerId }: AskedGroup): Scope => ({
  ...(zone !== undefined && { zones: [zone] }),
  ...(applicationId !== undefined && { applicationIds: [applicationId] }),
  ...(ownerId !== undefined && { teamIds: [ownerId] }),
});

/** The mean times of an organization that has only the records of the scope. */
async function meanTimesOfOnly(name: Name, alive: Alive, scope: Scope): Promise<unknown> {
  const table = newOrganization(store.dynamo);
  for (const made of alive.values())
    if (isIn(scope, [made.place])) await table.create(KINDS[name].entity, KINDS[name].draftOf(made));
  return bare(await meanTimes(table, name, {}));
}

/** Two zones are a sum, which counts no record twice. */
const PARTS: readonly Scope[] = [...SCOPES, { zones: ['dmz', 'DMZ', 'Lab'] }, { applicationIds: [shop, bank] }];
const isSum = ({ zones, applicationIds, teamIds }: Scope): boolean =>
  [zones, applicationIds, teamIds].filter(Boolean).length === 1 && (applicationIds?.length ?? 0) < 2;

async function expectParts(table: Table, name: Name, alive: Alive): Promise<void> {
  for (const scope of PARTS) {
    const own = openTable(table.dynamo, table.organizationId, table.actor, { ...scope } as Part);
    if (isSum(scope)) expect(bare(await meanTimes(own, name, {}))).toEqual(await meanTimesOfOnly(name, alive, scope));
    else await expect(meanTimes(own, name, {})).rejects.toMatchObject({ code: 'insufficient_scope' });
  }
}

test.each(['findings', 'vulnerabilities', 'alerts', 'incidents'] as const)(
  'mean times of a part are those of an organization with only its records, whatever happened to these: %s',
  async (name) => {
    const { entity } = KINDS[name];
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 25, size: 'max' }),
        fc.nat(1000),
        async (steps, seed) => {
          setClock(() => Date.UTC(2026, 10, 28, 12, 30));
          const dynamo = store.connect();
          const end = injectFaults(dynamo, { random: dice(seed), conflict: 0.2, throttle: 0.1, lost: 0.2 });
          const table = openTable(dynamo, newId());
          const alive: Alive = new Map();
          for (const one of steps) await live(table, KINDS[name], alive, one);
          await table.workJournal(entity);
          for (let times = 0; times < 2; times++) await rekey(table, entity);
          end();
          await expectParts(table, name, alive);
          await expectExact(table, [entity]);
        },
      ),
      { numRuns: runs(2, 20), endOnFailure: true },
    );
  },
);

test('a zone, an application or a team is named, of the part or of the whole organization', async () => {
  setClock(() => Date.UTC(2026, 10, 28, 12));
  const table = newOrganization(store.dynamo);
  const place = { zone: 'DMZ', applicationIds: [], ownerId: web };
  const life = { severity: 'high' as const, age: 10, seen: false, ends: 1, isOpen: true };
  const alive: Alive = new Map();
  const around = { kind: 'make' as const, pick: 0, life };
  await live(table, KINDS.findings, alive, { ...around, place });
  await live(table, KINDS.findings, alive, { ...around, place: { ...place, zone: 'lab' } });
  const mixed = { zones: ['dmz'], teamIds: [web] };
  const own = openTable(table.dynamo, table.organizationId, table.actor, mixed);
  const repaired = { meanSeconds: (5 * 3600) / 2, count: 1 };
  for (const group of asked(mixed)) {
    const expected = { ...repaired, count: 'zone' in group ? 1 : 2 };
    for (const by of [own, table]) {
      const { timeToRemediate, links } = await meanTimes(by, 'findings', group);
      expect(timeToRemediate).toMatchObject(expected);
      expect(decodeURIComponent(links.list['openAge.count'] ?? '')).toContain(
        'zone' in group ? 'asset.zone:' : 'asset.owner:',
      );
    }
    expect(bare(await meanTimes(own, 'findings', group))).toEqual(
      await meanTimesOfOnly('findings', alive, scopeOf(group)),
    );
  }
  for (const wrong of [{ zone: 'lab' }, { ownerId: newId() }])
    await expect(meanTimes(own, 'findings', wrong)).rejects.toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining('send `zone`, `applicationId` or `ownerId`'),
    });
  await expect(meanTimes(table, 'findings', { zone: 'dmz', ownerId: web })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});
