import { acceptedName, inGroups, openName, WEAKNESS_SET } from '#shared/assets/controls/compliance-counters.ts';
import type { Tally } from '#shared/platform/table/entity.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { BenchmarkCheck } from '#shared/reports/report/report.ts';
import { isOpen } from './finding-status.ts';
import { weaknessesOf } from './finding-weaknesses.ts';

type Controlled = Parameters<typeof weaknessesOf>[0] & {
  status: Parameters<typeof isOpen>[0];
  check?: BenchmarkCheck;
  asset: { type: AssetType; zone: string | null };
  applicationIds?: readonly string[];
};

/** An open finding, or one with an accepted risk, fails the controls of its weaknesses and of its check. */
export function controlTallies(finding: Controlled): Tally[] {
  const { status, asset, check, applicationIds = [] } = finding;
  if (!isOpen(status) && status !== 'risk_accepted') return [];
  const placed = { zone: asset.zone, applicationIds };
  const named = (key: string) => (isOpen(status) ? openName : acceptedName)(asset.type, key);
  return [
    ...inGroups('control', WEAKNESS_SET, { names: weaknessesOf(finding).map(named), placed }),
    ...(check ? inGroups('control', check.benchmark, { names: [named(check.key)], placed }) : []),
  ];
}
