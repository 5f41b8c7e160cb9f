import * as fc from 'fast-check';
import { Severity } from '#shared/reports/report/report.ts';
import { ALERT_STATUSES, INCIDENT_STATUSES } from '#shared/soc/alerts/soc-status.ts';
import type { Client, OperationName, RequestOf } from '../support/client.ts';
import { finished } from '../support/wait.ts';

type People = { admin: Client; other: Client };

const severity = fc.constantFrom(...Severity.options);
const which = fc.record({ pick: fc.nat(50), severity });
const step = <K extends string, T>(kind: K, weight: number, more: fc.Arbitrary<T>) => ({
  weight,
  arbitrary: fc.tuple(which, more).map(([chosen, rest]) => ({ kind, ...chosen, ...rest })),
});
const nothing = fc.constant({});
/** A tool of which the service knows what it looks for, and one of which it does not. */
const report = fc.record({
  problems: fc.subarray([0, 1, 2, 3, 4]),
  tool: fc.constantFrom('our-audit', 'gitleaks'),
  twice: fc.boolean(),
});
const ACTIONS = ['isolate_host', 'custom'] as const;

/** Something that people and machines do with an organization; `pick` says with which of its records. */
export const steps = fc.array(
  fc.oneof(
    step('import', 6, report),
    step('decide', 5, fc.record({ to: fc.constantFrom('in_progress', 'fixed', 'false_positive', 'open') })),
    step('decide many', 1, nothing),
    step('rate', 2, nothing),
    step('merge', 2, nothing),
    step('part', 1, nothing),
    step('retire', 1, nothing),
    step('delete', 1, nothing),
    step('undo', 1, nothing),
    step('alert', 3, fc.record({ key: fc.nat(2) })),
    step('move alert', 3, fc.record({ to: fc.constantFrom(...ALERT_STATUSES) })),
    step('incident', 2, nothing),
    step('move incident', 2, fc.record({ to: fc.constantFrom(...INCIDENT_STATUSES) })),
    step('respond', 2, fc.record({ type: fc.constantFrom(...ACTIONS) })),
    step('approve', 1, nothing),
  ),
  { minLength: 8, maxLength: 24, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const REPOSITORIES = ['shop', 'store', 'till'].map((name) => `https://git.example.com/acme/${name}`);

const reportOf = (tool: string, problems: readonly number[]) => ({
  tool,
  findings: problems.map((n) => ({
    title: `Problem ${n}`,
    ruleId: `rule-${n}`,
    severity: SEVERITIES[n],
    location: { path: `src/${n}.ts` },
    ...(n % 2 === 1 && { cwe: n === 1 ? 79 : 798 }),
    ...(n % 2 === 0 && { cves: [`CVE-2026-100${n}`], component: { name: 'parser', version: `1.${n}` } }),
  })),
});

/** The id of a record where there is none. */
const NOBODYS = '00000000-0000-7000-8000-000000000000';

type Named = { id: string };
const nth = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

/** Does a step to its end. It may be refused, as people's steps are, but not fail. */
export async function live({ admin, other }: People, one: Step): Promise<void> {
  const act = async <N extends OperationName>(name: N, request: RequestOf<N>, by = admin) => {
    const { status, body } = await by.call(name, request);
    if (status !== 200 && status !== 400) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    const { taskId } = Object(body);
    if (taskId) await finished(admin, taskId);
  };
  const any = async (name: 'listFindings' | 'listAssets' | 'listAlerts' | 'listIncidents', n = one.pick) =>
    nth<Named>((await admin.ok(name)).data, n)?.id ?? NOBODYS;
  switch (one.kind) {
    case 'import': {
      const body = { format: 'generic', content: JSON.stringify(reportOf(one.tool, one.problems)) };
      const repository = nth(REPOSITORIES, one.pick);
      const headers = { 'idempotency-key': `${one.pick}-${one.severity}-${one.tool}-${one.problems.join()}` };
      for (let times = one.twice ? 2 : 1; times > 0; times--)
        await act('importFindings', { headers, body: { ...body, repository } });
      return;
    }
    case 'decide':
      return act('updateFinding', { params: { id: await any('listFindings') }, body: { status: one.to, reason: 'x' } });
    case 'decide many': {
      const changes = { status: 'false_positive', reason: 'not ours' } as const;
      return act('updateFindings', { body: { filter: { severity: one.severity }, changes } });
    }
    case 'rate': {
      const criticality = (['low', 'medium', 'high', 'critical'] as const)[one.pick % 4] ?? 'low';
      return act('updateAsset', { params: { id: await any('listAssets') }, body: { criticality } });
    }
    case 'merge': {
      const intoId = await any('listAssets', one.pick + 1);
      return act('mergeAssets', { params: { id: await any('listAssets') }, body: { intoId } });
    }
    case 'part': {
      const merges = await admin.ok('listTasks', { query: { operation: 'merge_assets' } });
      return act('undoAssetMerge', { params: { taskId: nth(merges.data, one.pick)?.id ?? NOBODYS } });
    }
    case 'retire':
      return act('retireAsset', { params: { id: await any('listAssets') } });
    case 'delete':
      return act('deleteAsset', { params: { id: await any('listAssets') } });
    case 'undo': {
      const imports = await admin.ok('listImports');
      return act('undoImport', { params: { taskId: nth(imports.data, one.pick)?.taskId ?? NOBODYS } });
    }
    case 'alert':
      return act('createAlert', { body: { title: 'A sign', severity: one.severity, dedupKey: `key-${one.key}` } });
    case 'move alert':
      return act('updateAlert', { params: { id: await any('listAlerts') }, body: { status: one.to } });
    case 'incident': {
      const alertId = await any('listAlerts');
      const { body } = await admin.call('createIncident', { body: { title: 'An attack', severity: one.severity } });
      if (alertId) await act('updateAlert', { params: { id: alertId }, body: { incidentId: String(Object(body).id) } });
      return;
    }
    case 'move incident':
      return act('updateIncident', { params: { id: await any('listIncidents') }, body: { status: one.to } });
    case 'respond': {
      const body = { type: one.type, target: { type: 'host' as const, value: 'web-01' } };
      return act('createResponseAction', { params: { id: await any('listIncidents') }, body });
    }
    case 'approve': {
      const { data } = await admin.ok('listResponseActions', { query: { status: 'awaiting_approval' } });
      const name = one.pick % 2 === 0 ? 'approveResponseAction' : 'denyResponseAction';
      return act(name, { params: { id: nth(data, one.pick)?.id ?? NOBODYS }, body: {} }, other);
    }
  }
}
