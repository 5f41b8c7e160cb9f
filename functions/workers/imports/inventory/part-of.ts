import { digestOf, inOneForm, type Part } from '#shared/assets/inventory/part.ts';
import { portOf, softwareKey } from '#shared/reports/readers/inventories.ts';
import { isPortLookedFor } from '#shared/reports/readers/ports-looked.ts';
import type { ReportInventory, Service } from '#shared/reports/report/report.ts';
import type { Read } from '../phases.ts';

export type Reported = Pick<Read, 'submission' | 'manifest'>;

/** A scan that did not finish, or whose report has unreadable entries, does not say that anything is gone. */
export const isPartial = ({ submission, manifest }: Reported): boolean =>
  submission.closeMissing === false ||
  (submission.outcome ?? 'completed') !== 'completed' ||
  manifest.rejectedCount > 0;

/** A digest of the report's statement about an asset; a report that looked at other ports makes another statement. */
export function said(
  read: Reported,
  { services, software, os, facts, identifiers }: ReportInventory,
  id: string | undefined,
): string {
  const extent = services && read.manifest.covered.ports;
  const part = inOneForm({ ...(services && { services }), ...(software && { software }) });
  return digestOf(JSON.stringify([id, part, os, extent, isPartial(read), facts, identifiers]));
}

/** The source's part after this report: what the report did not look for stays as it was. */
export function partOf(read: Reported, { services, software }: ReportInventory, partial: boolean) {
  const { ports } = read.manifest.covered;
  const isGone = (one: Service): boolean =>
    !partial && (ports === undefined || isPortLookedFor({ ports }, { location: `:${portOf(one)}`, ruleId: '' }));
  return (before: Part): Part => {
    const stays = (before.services ?? []).filter((one) => !isGone(one));
    const kept = partial ? (before.software ?? []) : [];
    const nowServices = services && [...new Map([...stays, ...services].map((one) => [portOf(one), one])).values()];
    const nowSoftware = software && [...new Map([...kept, ...software].map((one) => [softwareKey(one), one])).values()];
    return {
      ...before,
      ...(nowServices && { services: nowServices }),
      ...(nowSoftware && { software: nowSoftware }),
    };
  };
}
