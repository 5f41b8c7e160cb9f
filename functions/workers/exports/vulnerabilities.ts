import { followsRules } from '#shared/exposure/asset-rules/after-rules.ts';
import { showsRules, withAssets } from '#shared/exposure/asset-rules/people-and-applications.ts';
import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import { viewsLack } from '#shared/platform/views/behind.ts';
import { VULNERABILITY_COLUMNS, VulnerabilityExportInput } from '#shared/vulnerabilities/vulnerability/export.ts';
import { openVexFile, statementOfVulnerability } from '#shared/vulnerabilities/vulnerability/open-vex.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/record.ts';
import {
  type StoredVulnerability,
  type VulnerabilityListItem,
  vulnerabilities,
} from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { csvFile } from './csv.ts';
import type { Source } from './file.ts';
import { jsonLinesFile } from './json-lines.ts';

type Exported = { item: VulnerabilityListItem; acknowledgedAt: string | undefined };

/** The vulnerabilities as lists show them, newest first. */
export function vulnerabilitiesSource({ table, task }: Work): Source {
  const input = VulnerabilityExportInput.parse(task.input);
  const file = fileOf(input, task);
  return {
    head: file.head,
    followsRules: followsRules(input.selection) || showsRules(input),
    lacking: viewsLack,
    select: () => ordinalsOf(table, vulnerabilities, input.selection),
    async texts(place, ordinals) {
      const found = await recordsAt<StoredVulnerability, (typeof vulnerabilities.detail)[number]>(
        table,
        vulnerabilities,
        ordinals,
      );
      const newest = found.toSorted((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
      const items = await withAssets(table, newest.map(vulnerabilityListItem));
      return items.map((item, n) => file.add(place, { item, acknowledgedAt: newest[n]?.acknowledgedAt }));
    },
    foot: file.foot,
    result: ({ records, sizeBytes }) => ({ vulnerabilities: records, sizeBytes, format: input.format }),
  };
}

function fileOf({ format, columns }: VulnerabilityExportInput, task: TaskRow): RecordsFile<Exported> {
  if (format === 'vex')
    return openVexFile(task, ({ item, acknowledgedAt }: Exported) => [statementOfVulnerability(item, acknowledgedAt)]);
  const { head, foot, add } =
    format === 'csv' ? csvFile({ columns: columns ?? VULNERABILITY_COLUMNS }) : jsonLinesFile({ columns });
  return { head, foot, add: (place, { item }) => add(place, item) };
}
