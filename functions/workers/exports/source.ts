import { assets } from '#shared/assets/asset/asset.ts';
import { ASSET_COLUMNS, AssetExportInput, EXPORT_ASSETS } from '#shared/assets/asset/export.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { followsRules } from '#shared/exposure/asset-rules/after-rules.ts';
import { ofAssets, RULED_OF_ASSETS, showsRules } from '#shared/exposure/asset-rules/people-and-applications.ts';
import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import { EXPORT_EVENTS } from '#shared/soc/hunting/export.ts';
import { EXPORT_VULNERABILITIES } from '#shared/vulnerabilities/vulnerability/export.ts';
import { csvFile } from './csv.ts';
import { eventsSource } from './events.ts';
import type { Source } from './file.ts';
import { findingsSource } from './findings.ts';
import { jsonLinesFile } from './json-lines.ts';
import { vulnerabilitiesSource } from './vulnerabilities.ts';

export function sourceOf(work: Work): Source {
  if (work.task.operation === EXPORT_ASSETS.operation) return assetsSource(work);
  if (work.task.operation === EXPORT_EVENTS.operation) return eventsSource(work);
  return work.task.operation === EXPORT_VULNERABILITIES.operation ? vulnerabilitiesSource(work) : findingsSource(work);
}

function assetsSource({ table, task }: Work): Source {
  const { format, columns, selection } = AssetExportInput.parse(task.input);
  const file: RecordsFile =
    format === 'csv' ? csvFile({ columns: columns ?? ASSET_COLUMNS }) : jsonLinesFile({ columns });
  const isRuled = followsRules(selection, ['application', 'tag']) || showsRules({ format, columns }, RULED_OF_ASSETS);
  return {
    head: file.head,
    followsRules: isRuled,
    select: () => ordinalsOf(table, assets, selection),
    async texts(place, ordinals) {
      const found = await recordsAt(table, assets, ordinals);
      const newest = found.toSorted((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
      const [views, facts] = await Promise.all([assetViews(table, newest), ofAssets(table, newest)]);
      const owned = new Map(newest.map((asset) => [asset.id, facts(asset)]));
      return views.map((view) => file.add(place, { ...view, ...owned.get(view.id) }));
    },
    foot: file.foot,
    result: ({ records, sizeBytes }) => ({ assets: records, sizeBytes, format }),
  };
}
