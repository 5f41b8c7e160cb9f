import { writeFile } from '#shared/platform/runtime/bucket-file.ts';
import { keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { pageIn, textOf } from '#shared/reporting/compose.ts';
import { beginCounting, type Counting } from '#shared/reporting/counting.ts';
import type { Cell } from '#shared/reporting/document.ts';
import { type Facts, gatherFacts } from '#shared/reporting/facts.ts';
import { FACTS_FILE } from '#shared/reporting/files.ts';
import { sectionsOf } from '#shared/reporting/kinds.ts';
import { reportFolder, type StoredReport } from '#shared/reporting/report.ts';
import { splitLines } from '#shared/reports/readers/lines.ts';
import { sbomOf, vexOf } from './package-files.ts';

type Place = { folder: string; bucket: Context['connections']['bucket'] };

export const placeOf = ({ connections, table }: Context, { id }: Pick<StoredReport, 'id'>): Place => ({
  folder: reportFolder(table.organizationId, id),
  bucket: connections.bucket,
});

/** The rows are kept under the time of their facts: attempts at the same time mix nothing. */
const ROWS = 'rows/';
const frozenKey = ({ folder }: Place, { asOf }: Pick<Facts, 'asOf'>, name: string): string =>
  `${folder}${ROWS}${asOf}/${name}`;

/**
 * The facts are gathered once, with all rows of tables of which pages show the first. They are kept before anything is made of them: the facts last,
 * because they say that the rows are whole.
 */
export async function frozenFacts(context: Context, report: StoredReport): Promise<Facts> {
  const place = placeOf(context, report);
  const kept = await place.bucket.get(place.folder + FACTS_FILE);
  if (kept) return JSON.parse(Buffer.from(kept).toString('utf8'));
  const counting = await beginCounting(context, report, nowMs());
  const facts = await gatherFacts(counting);
  for (const [name, text] of frozenFiles(facts, counting))
    await writeFile(place.bucket, frozenKey(place, facts, name), text);
  await place.bucket.put(place.folder + FACTS_FILE, JSON.stringify(facts));
  return facts;
}

function frozenFiles(facts: Facts, counting: Counting): [name: string, text: AsyncIterable<string>][] {
  const { kind, language } = facts.settings;
  const page = pageIn(language, counting.connections.settings.BASE_URL);
  const files = sectionsOf(kind).flatMap(([name, { rows = {} }]) =>
    Object.entries(rows).map(([id, all]): [string, AsyncIterable<string>] => [
      id,
      linesOf(all(counting, page, facts.sections[name])),
    ]),
  );
  if (kind === 'sbom_vex') files.push(['vex', vexOf(facts, counting)]);
  if (kind === 'sbom_vex' && facts.isWhole) files.push(['sbom', sbomOf(facts, counting)]);
  return files;
}

async function* linesOf(rows: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row.map(textOf))}\n`;
}

/** All rows of a table as they were when the facts were gathered; undefined: the document has all. */
export function frozenRows(place: Place, facts: Facts, table: string): (() => AsyncIterable<Cell[]>) | undefined {
  const isFrozen = sectionsOf(facts.settings.kind).some(([, { rows }]) => rows?.[table]);
  return isFrozen ? () => readRows(place, facts, table) : undefined;
}

async function* readRows({ bucket, ...place }: Place, facts: Facts, table: string): AsyncGenerator<Cell[]> {
  const source = await bucket.stream(frozenKey({ bucket, ...place }, facts, table));
  for await (const { text } of splitLines(source)) yield JSON.parse(text);
}

/** A file of the package as it was when the facts were gathered. */
export const frozenFile = (place: Place, facts: Facts, name: 'sbom' | 'vex') =>
  place.bucket.stream(frozenKey(place, facts, name));

/** Nobody reads the rows of a report that is made, or nothing of one that is not kept. */
export async function removeFrozen({ folder, bucket }: Place, what: 'rows' | 'all'): Promise<void> {
  await bucket.remove(await keysPage(bucket, { prefix: what === 'all' ? folder : folder + ROWS }));
}
