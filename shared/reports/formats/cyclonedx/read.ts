import { type Entry, entryOf, firstCharacter, readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { type JsonPath, parseValue, splitJson } from '../../readers/json-stream.ts';
import { newStatedBudget, PROVES_NOTHING, statementEvent } from '../../readers/vex.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { addComponent, addMetadata, addService, type Bom, newBom } from './bom.ts';
import { bomInXml, vulnerabilitiesInXml } from './in-xml.ts';
import { documentOf, statementOf } from './statement.ts';
import { draftsOf } from './vulnerability.ts';

/**
 * A bill of materials: its components first, because vulnerabilities refer to them and may come before them. A bill
 * without a list of vulnerabilities is an inventory: it has no findings and proves none gone.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const isXml = (await firstCharacter(open)) === '<';
  const bom = newBom();
  await (isXml ? bomInXml : bomInJson)(open, bom);
  if (!bom.isKnown) throw new ReportError('unsupported_format', 'The report is no bill of materials of CycloneDX.');
  yield toolOf(bom);
  const vulnerabilities: AsyncIterable<Entry> = (isXml ? vulnerabilitiesInXml : vulnerabilitiesInJson)(open);
  const statements: ReportEvent[] = [];
  const budget = newStatedBudget();
  let drafted = 0;
  const drafts = (vulnerability: JsonObject) => {
    const statement = statementOf(bom, vulnerability);
    if (statement) statements.push(statementEvent(budget, statement));
    const found = draftsOf(bom, vulnerability);
    drafted += found?.length ?? 0;
    return found;
  };
  yield* readEntries(vulnerabilities, drafts, 'the vulnerability has no id');
  if (statements.length > 0) yield* [documentOf(bom), ...statements];
  if (statements.length > 0 && drafted === 0) yield PROVES_NOTHING;
  yield* inventoryOf(bom);
  if (bom.asset) yield { kind: 'covered', target: bom.asset, aliases: [], outcome: 'reached' };
  if (!bom.hasVulnerabilities) yield { kind: 'incomplete', code: 'no_scan' };
}

/** A document that names no component contains only vulnerabilities (VEX). */
function* inventoryOf({ inventories, asset, os }: Bom): Generator<ReportEvent> {
  for (const inventory of inventories.all())
    yield { kind: 'inventory', inventory: { ...inventory, asset, ...(os && { os }) } };
}

/** The tool that made the document; since version 1.5 tools are components. */
function toolOf({ tools }: Bom): ReportEvent {
  const [first] = tools;
  const version = textAt(first, 'version');
  return { kind: 'tool', name: textAt(first, 'name') ?? 'CycloneDX', ...(version && { version }) };
}

/** The members of the document, and of each of these the parts. */
const isWalked = (path: JsonPath): boolean => path.length <= 1;

async function bomInJson(open: OpenReport, bom: Bom): Promise<void> {
  for await (const value of splitJson(open(), isWalked)) {
    const [part, index] = value.path;
    if (value.opens) bom.hasVulnerabilities ||= part === 'vulnerabilities' && value.opens === 'array';
    else {
      const content = parseValue(value);
      if (part === 'serialNumber' || part === 'version') bom.root[part] = content;
      if (part === 'bomFormat') bom.isKnown = content === 'CycloneDX';
      if (part === 'components') addComponent(bom, content);
      if (part === 'services') addService(bom, content);
      if (part === 'metadata') addMetadata(bom, String(index), content);
    }
  }
}

async function* vulnerabilitiesInJson(open: OpenReport): AsyncGenerator<Entry> {
  for await (const value of splitJson(open(), isWalked)) {
    const [part, index] = value.path;
    if (part !== 'vulnerabilities' || typeof index !== 'number') continue;
    yield entryOf(parseValue(value), `vulnerabilities[${index}]`);
  }
}
