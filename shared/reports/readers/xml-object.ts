import type { JsonObject } from './json.ts';
import type { XmlElement } from './xml.ts';

/**
 * An element of XML as the JSON that the same tool writes, so that one reader serves both. Attributes and children are
 * members, without the prefix of their namespace; an element named in `lists` is a list of its children. An element
 * with only a text is that text; with attributes, the text is `value`. A repeated child is a list.
 */
export function objectOf(element: XmlElement, lists: ReadonlySet<string>): JsonObject {
  const object: JsonObject = { ...element.attributes };
  const groups = Map.groupBy(element.children, ({ name }) => localName(name));
  for (const [name, children] of groups) {
    const values = [
      ...(name in element.attributes ? [element.attributes[name]] : []),
      ...children.map((child) => contentOf(child, lists)),
    ];
    object[name] = values.length > 1 ? values.flat() : values[0];
  }
  return object;
}

function contentOf(element: XmlElement, lists: ReadonlySet<string>): unknown {
  const { attributes, children, text } = element;
  if (lists.has(localName(element.name))) return children.map((child) => contentOf(child, lists));
  if (children.length > 0) return objectOf(element, lists);
  return Object.keys(attributes).length > 0 ? { ...attributes, value: text.trim() } : text.trim();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
