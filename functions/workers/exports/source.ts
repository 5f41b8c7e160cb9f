import { ASSET_COLUMNS, AssetExportInput, EXPORT_ASSETS } from '#shared/assets/export.ts';
import { assetViews } from '#shared/assets/view.ts';
import { assets } from '#shared/entities/asset.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import { csvFile } from './csv.ts';
import type { RecordsFile, Source } from './file.ts';
import { findingsSource } from './findings.ts';
import { jsonLinesFile } from './json-lines.ts';

export const sourceOf = (work: Work): Source =>
  work.task.operation === EXPORT_ASSETS.operation ? assetsSource(work) : findingsSource(work);

function assetsSource({ table, task }: Work): Source {
  const { format, columns, selection } = AssetExportInput.parse(task.input);
  const file: RecordsFile =
    format === 'csv' ? csvFile({ columns: columns ?? ASSET_COLUMNS }) : jsonLinesFile({ columns });
  return {
    head: file.head,
    select: () => ordinalsOf(table, assets, selection),
    async texts(place, ordinals) {
      const found = await recordsAt(table, assets, ordinals);
      const newest = found.toSorted((a, b) => (a.id < b.id ? 1 : -1));
      return (await assetViews(table, newest)).map((asset) => file.add(place, asset));
    },
    foot: file.foot,
    result: ({ records, sizeBytes }) => ({ assets: records, sizeBytes, format }),
  };
}
