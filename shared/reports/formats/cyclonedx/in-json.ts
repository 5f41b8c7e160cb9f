import { type Entry, entryOf } from '../../readers/entries.ts';
import { type JsonPath, parseValue, splitJson } from '../../readers/json-stream.ts';
import type { OpenReport } from '../../report/report.ts';
import { addComponent, addMetadata, type Bom } from './bom.ts';

/** The members of the document, and of each of these the parts. */
const isWalked = (path: JsonPath): boolean => path.length <= 1;

export async function bomInJson(open: OpenReport, bom: Bom): Promise<void> {
  for await (const value of splitJson(open(), isWalked)) {
    const [part, index] = value.path;
    if (value.opens) bom.hasVulnerabilities ||= part === 'vulnerabilities' && value.opens === 'array';
    else {
      const content = parseValue(value);
      if (part === 'bomFormat') bom.isKnown = content === 'CycloneDX';
      if (part === 'components') addComponent(bom, content);
      if (part === 'metadata') addMetadata(bom, String(index), content);
    }
  }
}

export async function* vulnerabilitiesInJson(open: OpenReport): AsyncGenerator<Entry> {
  for await (const value of splitJson(open(), isWalked)) {
    const [part, index] = value.path;
    if (part !== 'vulnerabilities' || typeof index !== 'number') continue;
    yield entryOf(parseValue(value), `vulnerabilities[${index}]`);
  }
}
