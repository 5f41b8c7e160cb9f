import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** A message or a metadata file that is refused, with words for an administrator. */
export class Unreadable extends Error {
  /** The provider reports that it signs nobody in. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal = false) {
    super(message);
    this.isRefusal = isRefusal;
  }
}

/** The part of the DOM that is read here. The library parses, and verifies the same tree. */
export type Node = {
  localName: string | null;
  namespaceURI: string | null;
  textContent: string | null;
  getAttribute: (name: string) => string | null;
};

type Name = readonly [namespace: string, name: string];

/** The parser takes 20 seconds for 49,000 elements beside each other, and 0.2 for these. */
const MAX_TAGS = 4000;

/** @throws Unreadable for entities, which may grow without end, and for too many elements */
export async function parsed(text: string): Promise<Node> {
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY'))
    throw new Unreadable('The XML declares a document type.');
  if (text.split('<').length > MAX_TAGS) throw new Unreadable(`The XML has more than ${MAX_TAGS / 2} elements.`);
  const [root] = elements(await parseDomFromString(text), '/*');
  if (!root) throw new Unreadable('The XML has no element.');
  return root;
}

/** Elements by an expression that holds no text of a message. */
const elements = (node: unknown, expression: string): Node[] =>
  Reflect.apply(xpath.selectElements, undefined, [node, expression]);

const matching = ([namespace, name]: Name) => `*[local-name()='${name}' and namespace-uri()='${namespace}']`;

export const isNamed = ({ namespaceURI, localName }: Node, [namespace, name]: Name): boolean =>
  namespaceURI === namespace && localName === name;

export const childrenOf = (node: Node, name: Name): Node[] => elements(node, `./${matching(name)}`);

export const allChildren = (node: Node): Node[] => elements(node, './*');

export const within = (node: Node, name: Name): Node[] => elements(node, `.//${matching(name)}`);

/** Elements of any namespace, which an attacker may choose. */
export const withinAny = (node: Node, name: string): Node[] => elements(node, `//*[local-name()='${name}']`);

export const parentOf = (node: Node): Node | undefined => elements(node, '..')[0];

/** The child, which is there once. @throws Unreadable */
export function onlyChild(node: Node, name: Name): Node {
  const [child, ...others] = childrenOf(node, name);
  if (child && others.length === 0) return child;
  throw new Unreadable(`${node.localName} must have exactly one ${name[1]}.`);
}

/** The text of an element without elements. @throws Unreadable */
export function textOf(node: Node): string {
  if (allChildren(node).length > 0) throw new Unreadable(`${node.localName} must be a text.`);
  return (node.textContent ?? '').trim();
}
