import { createEngagement } from '#shared/engagements/create.ts';
import { type Asset, assets } from '#shared/entities/asset.ts';
import { isTargetType } from '#shared/entities/asset-type.ts';
import { type Engagement, EngagementCreate, engagements } from '#shared/entities/engagement.ts';
import { findings } from '#shared/entities/finding.ts';
import { type Remediation, remediations } from '#shared/entities/remediation.ts';
import type { FindingRow } from '#shared/findings/view.ts';
import type { Call } from '#shared/http/route.ts';
import { check } from '#shared/http/validate.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { shortened } from '#shared/runtime/texts.ts';
import type { Table } from '#shared/table/table.ts';
import { covers } from '#shared/targets/covers.ts';
import type { remediationScanRoutes } from './routes.ts';

/** Findings whose assets one verification scans; an engagement names 200 of them. */
const MAX_FINDINGS = 500;
const MAX_NAMED = 200;

const NOT_SCANNED =
  'No engagement with task types found its findings: import a new report of what was scanned, which proves them gone as well.';

/** Scans the assets of a remediation's findings again, as the engagement did that found most of them. @throws conflict */
export async function verifyRemediation(
  call: Call<typeof remediationScanRoutes.verifyRemediation>,
): Promise<QueuedResponse> {
  const { table, caller, connections, params } = call;
  const remediation = await table.get(remediations, params.id, true);
  const found = await foundBy(table, remediation.id);
  const source = found[0]?.engagementId ? await table.find(engagements, found[0].engagementId, true) : undefined;
  if (!source || source.taskTypes.length === 0) throw conflict(NOT_SCANNED);
  const body = await retest(table, { source, found, title: remediation.title });
  const queued = await createEngagement({ table, caller, connections, body });
  await table.modify(remediations, remediation.id, () => ({ verifyTaskId: queued.taskId }));
  return queued;
}

/** The findings that one engagement found: the one that found most of them. */
async function foundBy(table: Table, remediationId: string): Promise<FindingRow[]> {
  const page = { paginateFrom: 0, paginateSize: MAX_FINDINGS };
  const { data } = await table.list(findings, { ...page, where: { remediationId } });
  const scanned = data.filter(({ engagementId }) => engagementId !== undefined);
  const groups = [...Map.groupBy(scanned, ({ engagementId }) => engagementId).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

type Retest = { source: Engagement; found: readonly FindingRow[]; title: Remediation['title'] };

/**
 * The engagement once more, with those of its targets on which the findings lie. A range stays whole: its scan closes what
 * the earlier scan of the same range found, and a scan of one of its hosts does not.
 */
async function retest(table: Table, { source, found, title }: Retest) {
  const lain = await table.findMany(assets, [...new Set(found.map(({ asset }) => asset.id))]);
  const isOn =
    (target: Engagement['targets'][number]) =>
    ({ type, value, zone }: Asset) =>
      isTargetType(type) && target.zone === zone && covers(target, { type, value });
  const targets = source.targets.filter((target) => lain.some(isOn(target)));
  if (targets.length === 0) throw conflict(NOT_SCANNED);
  const { exclusions, taskTypes, parameters, scannerGroupId, publicScannerGroupId, ...rest } = source;
  const { credentialIds, windows, intensity, rulesOfEngagement } = rest;
  return check(
    EngagementCreate,
    {
      ...{ targets, exclusions, taskTypes, parameters, scannerGroupId, publicScannerGroupId },
      ...{ credentialIds, windows, intensity, rulesOfEngagement },
      title: shortened(`Retest: ${title}`, 199),
      kind: 'retest',
      retestOf: { engagementId: source.id, findingIds: found.slice(0, MAX_NAMED).map(({ id }) => id) },
    },
    'body',
  );
}
