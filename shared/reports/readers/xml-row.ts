import type { CsvRow } from './csv-entries.ts';
import type { XmlElement } from './xml.ts';

/**
 * An element as a row: its attributes, and the texts inside its children; several texts of one name become lines. So a
 * tool that writes XML and CSV needs one list of its fields' names.
 */
export function rowOf({ attributes, children }: XmlElement): CsvRow {
  const row: CsvRow = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) if (value.trim()) row[name] = value.trim();
  for (const [name, same] of Map.groupBy(children, (child) => child.name)) {
    const texts = same.flatMap(textsOf);
    if (texts.length > 0) row[name] = texts.join('\n');
  }
  return row;
}

const textsOf = ({ text, children }: XmlElement): string[] =>
  [text.trim(), ...children.flatMap(textsOf)].filter((one) => one !== '');
