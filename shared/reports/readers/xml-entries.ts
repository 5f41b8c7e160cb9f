import { type OpenReport, ReportError } from '../report/report.ts';
import type { Entry } from './entries.ts';
import { readXml, type XmlElement } from './xml.ts';

/** An element of a report's list, with the elements around it, the outermost first: only their names and attributes. */
export type XmlEntry = Entry<XmlElement> & { path: string; parents: XmlElement[] };

/**
 * The elements at these paths (`OWASPZAPReport/site/alerts/alertitem`), one in memory at a time, in the order of the
 * report.
 * @throws unsupported_format when the document's root is another element
 */
export async function* xmlEntries(open: OpenReport, paths: readonly string[]): AsyncGenerator<XmlEntry> {
  const roots = new Set(paths.map((path) => path.split('/')[0]));
  const parents: XmlElement[] = [];
  const counts = new Map<string, number>();
  for await (const { kind, path, element } of readXml(open(), (at) => paths.includes(at))) {
    if (!roots.has(path.split('/')[0])) throw otherRoot(roots);
    if (kind === 'open') parents.push(element);
    else if (kind === 'close') parents.pop();
    else {
      const number = (counts.get(path) ?? 0) + 1;
      counts.set(path, number);
      yield { value: element, where: `${element.name} ${number}`, path, parents: [...parents] };
    }
  }
}

const otherRoot = (roots: ReadonlySet<string | undefined>): ReportError =>
  new ReportError('unsupported_format', `The XML's root is not ${[...roots].join(' or ')}: name the format it has.`);
