import { afterEach, describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { type Listed, noCounts } from '#shared/findings/gate/comparison.ts';
import { failedGate, Gate, judge, newOf, readyGate } from '#shared/findings/gate/gate.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

const seen = '2026-01-05T08:00:00.000Z';

/** A finding as an import listed it, and as it stands now. */
type Shown = Partial<StoredFinding> & { isNew?: boolean; beside?: boolean; was?: Partial<Listed> };
async function found(table: Table, { isNew = true, beside = false, was = {}, ...fields }: Shown = {}): Promise<Listed> {
  const made = await table.create(beside ? branchFindings : findings, findingDraft(seen, fields));
  const { id, severity, priority, firstSeenAt } = made;
  return { id, severity, priority, firstSeenAt, isNew, ...was };
}
const counts = (listed: readonly Listed[], isNew: boolean) => {
  const sum = noCounts();
  for (const one of listed) if (one.isNew === isNew) sum[one.severity] += 1;
  return sum;
};
const caller = { kind: 'api_key', scopes: [], id: newId(), name: 'CI', organizationId: newId() } as const;
const ready = (table: Table, gate: object) => readyGate({ table, caller }, Gate.parse(gate));
async function judged(table: Table, gate: object, listed: readonly Listed[], decided: readonly string[] = []) {
  const comparison = { baseRef: 'main', new: counts(listed, true), existing: counts(listed, false), fixed: null };
  return judge(table, await ready(table, gate), { comparison, listed, decidedOnes: async () => new Set(decided) });
}
const shown = ({ findings: some }: { findings: readonly { id: string }[] }) => some.map(({ id }) => id);

describe('a gate', () => {
  test('fails for its severity and those above it, and for none below', async () => {
    const table = newOrganization(store.dynamo);
    const [critical, high, medium] = [
      await found(table, { severity: 'critical' }),
      await found(table),
      await found(table, { severity: 'medium', beside: true }),
    ];
    const all = [medium, high, critical];
    expect(await judged(table, { failOn: 'high' }, all)).toMatchObject({
      passed: false,
      reasons: ['1 new critical', '1 new high'],
      baseRef: 'main',
      new: { ...noCounts(), critical: 1, high: 1, medium: 1 },
    });
    expect(shown(await judged(table, { failOn: 'high' }, all))).toEqual([critical.id, high.id]);
    expect(shown(await judged(table, { failOn: 'info' }, all))).toEqual([critical.id, high.id, medium.id]);
    expect(await judged(table, {}, [medium])).toMatchObject({ passed: true, reasons: [], findings: [] });
  });

  test('fails only for findings that fit its filter, also by the asset behind them', async () => {
    const table = newOrganization(store.dynamo);
    const asset = { type: 'host' as const, value: 'web-1', name: 'web-1', zone: null };
    const more = { criticality: 'medium' as const, internetExposed: null, tags: [], firstSeenAt: seen };
    const { id } = await table.create(assets, { ...asset, ...more });
    const onHost = await found(table, { asset: { id, type: 'host', name: 'web-1', zone: null }, tool: 'trivy' });
    const other = await found(table, { severity: 'critical', tool: 'semgrep' });
    const all = [onHost, other];
    expect(shown(await judged(table, { filter: 'tool:Trivy' }, all))).toEqual([onHost.id]);
    expect(await judged(table, { filter: '-tool:trivy' }, all)).toMatchObject({
      passed: false,
      reasons: ['1 new critical'],
    });
    expect(shown(await judged(table, { filter: 'asset.hostname:WEB-*' }, all))).toEqual([onHost.id]);
    expect(await judged(table, { filter: 'tool:nmap' }, all)).toMatchObject({ passed: true, reasons: [] });
    await expect(ready(table, { filter: 'assignee:me' })).rejects.toThrow(/nobody in a rule/);
  });

  test('looks at what became of each finding since the import', async () => {
    const table = newOrganization(store.dynamo);
    const triaged = await found(table, { status: 'false_positive' });
    const lowered = await found(table, { severity: 'low', was: { severity: 'high' } });
    const gone: Listed = { ...triaged, id: newId() };
    const inWork = await found(table, { status: 'in_progress' });
    const decided = await found(table);
    const answer = await judged(table, {}, [triaged, lowered, gone, inWork, decided], [decided.id]);
    expect(answer).toMatchObject({ passed: false, reasons: ['1 new high'], new: { high: 1 } });
    expect(shown(answer)).toEqual([inWork.id]);
    const none = await judged(table, {}, [triaged, lowered, gone, decided], [decided.id]);
    expect(none).toMatchObject({ passed: true, reasons: [], new: noCounts() });
  });

  test('fails for what the base has only where it is asked to', async () => {
    const table = newOrganization(store.dynamo);
    const [one, two] = [await found(table), await found(table, { isNew: false })];
    const triaged = await found(table, { isNew: false, status: 'fixed', fixedAt: seen });
    const all = [two, one, triaged];
    const strict = await judged(table, { newOnly: false }, all);
    expect(strict.reasons).toEqual(['1 new high', '1 existing high']);
    expect(shown(strict).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(shown(await judged(table, {}, all))).toEqual([one.id]);
    expect(await judged(table, {}, [two, triaged])).toMatchObject({ passed: true, findings: [] });
  });

  test('fails for an old finding once its days are over, and shows it once', async () => {
    const table = newOrganization(store.dynamo);
    const [old, fresh] = [
      await found(table, { isNew: false }),
      await found(table, { firstSeenAt: '2026-01-06T08:00:00.000Z' }),
    ];
    const at = (time: string) => {
      setClock(() => Date.parse(time));
      return judged(table, { failOn: 'high', maxAgeDays: 10 }, [old]);
    };
    expect((await at('2026-01-15T08:00:00.000Z')).passed).toBe(true);
    const late = await at('2026-01-15T08:00:00.001Z');
    expect(late).toMatchObject({ passed: false, reasons: ['1 open for more than 10 days'] });
    expect(late.findings).toEqual([
      {
        id: old.id,
        title: 'SQL built from input',
        severity: 'high',
        isNew: false,
        location: 'src/orders.ts:12',
        ruleId: 'sql-injection',
        firstSeenAt: seen,
        link: `/api/v1/findings/${old.id}`,
      },
    ]);
    setClock(() => Date.parse('2026-03-01T00:00:00Z'));
    const both = await judged(table, { maxAgeDays: 10 }, [old, fresh]);
    expect(both.reasons).toEqual(['1 new high', '2 open for more than 10 days']);
    expect(shown(both).toSorted()).toEqual([old.id, fresh.id].toSorted());
  });

  test('shows the worst twenty: by severity, then by priority', async () => {
    const table = newOrganization(store.dynamo);
    const all: Listed[] = [];
    for (let n = 0; n < 20; n++) all.push(await found(table, { priority: 30 + n }));
    const critical = await found(table, { severity: 'critical', priority: 1 });
    const answer = await judged(table, {}, [...all, critical]);
    expect(shown(answer)).toEqual([
      critical.id,
      ...all
        .slice(1)
        .toReversed()
        .map(({ id }) => id),
    ]);
    expect(answer.reasons).toEqual(['1 new critical', '20 new high']);
  });

  test('of an import that failed says why, and counts nothing', () => {
    expect(failedGate('The import failed.')).toEqual({
      passed: false,
      reasons: ['The import failed.'],
      baseRef: null,
      new: noCounts(),
      findings: [],
    });
  });
});

test('the new findings of a report come worst first and complete, up to the wanted number, from every collection', async () => {
  const table = newOrganization(store.dynamo);
  const low = await found(table, { severity: 'low' });
  const critical = await found(table, { severity: 'critical', beside: true });
  const fixed = await found(table, { status: 'fixed', fixedAt: seen });
  const known = await found(table, { severity: 'critical', isNew: false });
  const high = await found(table);
  const listed = [low, known, fixed, high, critical, { ...high, id: newId() }];
  const told = async (most: number) => (await newOf(table, listed, most)).map(({ id }) => id);
  expect(await told(10)).toEqual([critical.id, high.id, low.id]);
  expect(await told(1)).toEqual([critical.id]);
  expect((await newOf(table, [high], 1))[0]).toHaveProperty('fingerprint');
});
