import type { SaxesParser } from 'saxes';
import { fieldAt } from '#shared/reports/readers/json.ts';

/** Windows writes at most 64 KB into an event. */
const MAX_TEXT = 131_072;
const MAX_ELEMENTS = 1_000;

/** The parser, which the worker alone loads: the function that takes batches counts their events without it. */
export type XmlParser = typeof SaxesParser;

type Element = { name: string; attributes: Record<string, string>; members: Map<string, unknown>; text: string };

/**
 * An event of Windows, or of Sysmon for Linux, as XML in one line: `<Event><System>...</System><EventData>...`, as the same members
 * that shippers write as JSON. https://learn.microsoft.com/windows/win32/wes/eventschema-schema
 * @returns undefined for any other text; entities are not resolved
 */
export function readEventXml(text: string, Parser: XmlParser): object | undefined {
  return /^(?:<\?xml[^>]{0,200}\?>\s{0,10})?<Event[\s>]/.test(text) ? membersIn(text, Parser) : undefined;
}

/** The values of an event of Windows, which tables of Azure have as XML: `<DataItem ...><EventData><Data Name="param1">...`. */
export function readEventData(text: string, Parser: XmlParser): unknown {
  if (!/^\s{0,10}<(?:DataItem|EventData|UserData)[\s>]/.test(text)) return undefined;
  const item = membersIn(text, Parser);
  return fieldAt(item, 'DataItem') ?? fieldAt(item, 'EventData') ?? fieldAt(item, 'UserData');
}

function membersIn(text: string, Parser: XmlParser): object | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const parser = new Parser();
  const root = newElement('', {});
  const open = [root];
  let left = MAX_ELEMENTS;
  parser.on('opentag', ({ name, attributes }) => {
    left -= 1;
    if (left >= 0) open.push(newElement(name, attributes));
    else parser.fail('too many elements');
  });
  parser.on('text', (more) => {
    const element = open.at(-1);
    if (element) element.text += more;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element) addTo(open.at(-1), element);
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return Object.fromEntries(root.members);
}

const newElement = (name: string, attributes: Record<string, string>): Element => ({
  name,
  attributes,
  members: new Map(),
  text: '',
});

/** Members without a name of their own, such as several `<Data>`, are a list. */
function addTo(parent: Element | undefined, element: Element): void {
  const name = element.name === 'Data' ? (element.attributes.Name ?? element.name) : element.name;
  const [known, content] = [parent?.members.get(name), contentOf(element)];
  parent?.members.set(name, known === undefined ? content : [known, content].flat());
}

/** A text, or the members with the attributes: `EventID` has qualifiers that no rule reads. */
function contentOf({ name, attributes, members, text }: Element): unknown {
  if (name === 'Data' || name === 'EventID') return text.trim();
  const { xmlns: _, ...own } = attributes;
  const all = { ...own, ...Object.fromEntries(members) };
  return Object.keys(all).length > 0 ? all : text.trim();
}
