import type * as z from 'zod';
import { followsRules } from '#shared/exposure/asset-rules/after-rules.ts';
import { hasAssets, showsRules, withAssets } from '#shared/exposure/asset-rules/people-and-applications.ts';
import type { Finding, findings, StoredFinding } from '#shared/findings/finding/finding.ts';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { collectionOf, findingsAt } from '#shared/findings/view/find.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { EXPORT_COLUMNS, ExportFormat, type ExportInput, exportInput } from '#shared/platform/exports/export.ts';
import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingsVexFile } from '#shared/vulnerabilities/vulnerability/open-vex.ts';
import { csvFile } from './csv.ts';
import type { Source } from './file.ts';
import { jsonLinesFile } from './json-lines.ts';
import { sarifFile } from './sarif.ts';

const Input: z.ZodType<ExportInput> = exportInput(ExportFormat, EXPORT_COLUMNS);

const files: Record<ExportFormat, (input: ExportInput, task: TaskRow) => RecordsFile<Finding>> = {
  csv: csvFile,
  jsonl: jsonLinesFile,
  sarif: sarifFile,
  vex: findingsVexFile,
};

export function findingsSource(work: Work): Source {
  const { table, task } = work;
  const input = Input.parse(task.input);
  const file = files[input.format](input, task);
  return {
    head: file.head,
    followsRules: followsRules(input.selection) || showsRules(input),
    select: () => select(table, input),
    async texts(place, ordinals) {
      const found = await read(work, ordinals);
      const shown = hasAssets(input.format) ? await withAssets(table, found) : found;
      return shown.map((finding) => file.add(place, finding));
    },
    foot: file.foot,
    result: ({ records, place, sizeBytes }) => ({
      findings: records,
      entries: place.entries,
      sizeBytes,
      format: input.format,
    }),
  };
}

/** The findings as `GET /api/v1/findings/{id}` shows them. */
async function read({ table, connections }: Work, ordinals: readonly number[]): Promise<Finding[]> {
  const readFrom = (entity: typeof findings, some: readonly number[]) =>
    wholeRecordsAt(table, entity, { ordinals: some });
  const found = await findingsAt<StoredFinding>(ordinals, readFrom);
  const stored = ordinals.flatMap((ordinal) => found.get(ordinal)?.finding ?? []);
  const seen = await lastSeen(connections.bucket, table, stored);
  return stored.map((finding) => findingView(finding, seen.get(finding.id)));
}

/** Newest first; a SARIF file has a run for each tool, so its findings come tool by tool. */
async function select(table: Table, { selection, format }: ExportInput): Promise<readonly number[]> {
  const entity = await collectionOf(table, selection);
  const ordinals = await ordinalsOf(table, entity, selection);
  return format === 'sarif' ? byTool(table, entity, ordinals) : ordinals;
}

async function byTool(table: Table, entity: typeof findings, ordinals: readonly number[]): Promise<number[]> {
  const left = new Set(ordinals);
  const ordered: number[] = [];
  for (const newest of ordinals) {
    if (!left.has(newest)) continue;
    const [finding] = await wholeRecordsAt(table, entity, { ordinals: [newest] });
    const same = finding ? await ordinalsOf(table, entity, { where: { tool: toolKey(finding.tool) } }) : [];
    ordered.push(...same.filter((ordinal) => left.delete(ordinal)));
    left.delete(newest);
  }
  return ordered;
}
