import type * as z from 'zod';
import { type Asset, assetKeys, assets } from '#shared/assets/asset/asset.ts';
import { targetOf } from '#shared/assets/targets/named.ts';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { importFilter } from '#shared/ingest/filter-fields.ts';
import { type ImportedReport, importedReports, targetKey } from '#shared/ingest/imported-report.ts';
import type { ScanTarget } from '#shared/ingest/submission.ts';
import { canBeUndone } from '#shared/ingest/undo.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { importRoutes } from './routes.ts';

type Query = z.output<typeof importRoutes.listImports.query>;

/** A page of the organization's imports, newest first. With a part: of the caller's own, and of those that are about the asset alone. */
export async function listImports({ table, caller }: { table: Table; caller: Caller }, query: Query) {
  const { assetId, target, tool, status, held, ...page } = await withMatching({ table, caller }, importFilter, query);
  if (assetId !== undefined && target !== undefined) throw invalid('target', 'send either target or assetId');
  const asset = assetId === undefined ? undefined : await table.get(assets, assetId);
  const targets = asset
    ? [asset, ...(asset.aliases ?? [])].map(targetKey)
    : target === undefined
      ? undefined
      : keysOf(target);
  const where = {
    ...(targets && { target: targets }),
    ...(tool && { tool: toolKey(tool) }),
    ...(held && { held }),
  };
  const isNarrowed = Object.keys(where).length > 0;
  const seen = table.part && { matching: { all: [page.matching ?? 'everything', ofPart(caller, asset)] } };
  const asked = { ...page, filter: { status }, ...(isNarrowed && { where }), ...seen };
  return showEach(table.list(importedReports, asked), (report) => shown(report, !table.part || isBy(report, caller)));
}

const isBy = ({ createdBy }: ImportedReport, { id }: Caller): boolean => createdBy.id === id;

/** The imports that a caller with a part sees. */
const ofPart = (caller: Caller, asset: Asset | undefined): Marked => ({
  any: [
    { name: 'sender', values: [caller.id] },
    { name: 'onTarget', values: asset ? assetKeys(asset) : [] },
  ],
});

/** A text may name a repository, a site or a host: the imports of each. */
const keysOf = (value: string): string[] => [
  ...new Set(TARGET_TYPES.map((type) => targetKey(spelled({ type, value })))),
];

/** A target as imports keep it, where the text can be one of this type. */
function spelled(target: ScanTarget): ScanTarget {
  try {
    return targetOf(target);
  } catch {
    return target;
  }
}

/** @param mayChange otherwise the task, and what may be done with the import, are not the caller's */
function shown(report: ImportedReport, mayChange: boolean) {
  const { ofTarget: _ofTarget, updatedAt: _updatedAt, version: _version, ...item } = report;
  const { taskId, held } = item;
  const links = {
    task: `/api/v1/tasks/${taskId}`,
    findings: `/api/v1/findings?taskId=${taskId}`,
    ...(held && mayChange && { confirm: `/api/v1/findings/imports/${taskId}/confirm` }),
    ...(mayChange && canBeUndone(report) && { undo: `/api/v1/findings/imports/${taskId}/undo` }),
  };
  return { ...item, links };
}
