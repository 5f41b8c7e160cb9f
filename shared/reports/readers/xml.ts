import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { LIMITS, ReportError } from '../report/report.ts';

/** An element with all of its content. */
export type XmlElement = {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
};
/** An element below `path`, whole when it is one to capture, else only its beginning or its end. */
export type XmlEvent = { kind: 'open' | 'close' | 'element'; path: string; element: XmlElement };
type Capture = (path: string) => boolean;

/** Nmap nests 8 deep, no scanner 100. */
const MAX_DEPTH = 100;
/** Each element's path contains the names around it; Nmap's longest has 12 characters. */
const MAX_NAME = 200;
/** Of one element; Burp's longest has 6. */
const MAX_ATTRIBUTES = 1_000;
/** Inside one captured element; Nmap's port with the longest script output has some thousands. */
const MAX_ELEMENTS = 100_000;

/** Characters that XML 1.0 forbids; some tools write the raw bytes of attacks. */
const FORBIDDEN = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]|\p{Cs}/gu;

/**
 * Reads XML of any size without resolving anything: it refuses entity declarations and never fetches an external document
 * type, so that neither a file of this machine nor an expansion bomb can come in. It drops characters that XML forbids. Paths are written
 * `nmaprun/host/ports`. Elements that `capture` names come out whole, at their end; only one of them is in memory at a
 * time.
 */
export async function* readXml(source: AsyncIterable<Uint8Array>, capture: Capture): AsyncGenerator<XmlEvent> {
  const reader = new XmlReader(capture);
  let decoder: TextDecoder | undefined;
  for await (const chunk of source) {
    decoder ??= decoderOf(chunk);
    yield* reader.write(decoder.decode(chunk, { stream: true }));
  }
  yield* reader.write(decoder?.decode() ?? '');
  reader.end();
}

/** UTF-8 unless the declaration names another single-byte encoding; UTF-16 with its mark was turned into UTF-8 before. */
function decoderOf(firstChunk: Uint8Array): TextDecoder {
  const head = Buffer.from(firstChunk.subarray(0, 200)).toString('latin1');
  const label = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label);
  } catch {
    throw new ReportError('invalid_report', 'The XML declares an unknown encoding: send it as UTF-8.');
  }
}

class XmlReader {
  readonly #capture: Capture;
  readonly #parser = new SaxesParser();
  readonly #names: string[] = [];
  /** The open captured element, its ancestors first; empty outside of one. */
  #captured: XmlElement[] = [];
  #events: XmlEvent[] = [];
  #elements = 0;
  /** The attributes of the current tag. */
  #attributes = 0;
  #sinceEvent = 0;
  #closed = false;

  constructor(capture: Capture) {
    this.#capture = capture;
    this.#parser.on('doctype', assertPlainDoctype);
    this.#parser.on('error', assertForbiddenReference);
    this.#parser.on('opentag', (tag) =>
      this.#open({ name: tag.name, attributes: tag.attributes, children: [], text: '' }),
    );
    this.#parser.on('opentagstart', () => {
      this.#attributes = 0;
    });
    this.#parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES)
        throw new ReportError('invalid_report', `An element of the XML has over ${MAX_ATTRIBUTES} attributes.`);
    });
    this.#parser.on('closetag', (tag) => this.#close(tag.name));
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  write(text: string): XmlEvent[] {
    this.#sinceEvent += text.length;
    this.#run(() => this.#parser.write(text.replace(FORBIDDEN, '')));
    if (this.#sinceEvent > LIMITS.rawValue) throw tooLarge();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  end(): void {
    if (!this.#closed) {
      throw new ReportError('truncated_report', 'The XML ends early: let the tool finish, then send the whole file.');
    }
    this.#run(() => this.#parser.close());
  }

  #run(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof ReportError) throw error;
      const { line, column } = this.#parser;
      throw new ReportError(
        'invalid_report',
        `The report is not well-formed XML at line ${line}, column ${column}: send the file exactly as the tool wrote it.`,
      );
    }
  }

  #open(element: XmlElement): void {
    this.#names.push(element.name);
    if (this.#names.length > MAX_DEPTH)
      throw new ReportError('invalid_report', `The XML nests over ${MAX_DEPTH} deep.`);
    if (element.name.length > MAX_NAME)
      throw new ReportError('invalid_report', `The XML has an element's name of over ${MAX_NAME} characters.`);
    const path = this.#names.join('/');
    if (this.#captured.length > 0 || this.#capture(path)) {
      if (this.#captured.length === 0) this.#elements = 0;
      this.#elements += 1;
      if (this.#elements > MAX_ELEMENTS) throw tooLarge();
      this.#captured.at(-1)?.children.push(element);
      this.#captured.push(element);
      return;
    }
    this.#emit({ kind: 'open', path, element });
  }

  #close(name: string): void {
    const path = this.#names.join('/');
    this.#names.pop();
    this.#closed = this.#names.length === 0;
    const element = this.#captured.pop();
    if (!element) this.#emit({ kind: 'close', path, element: { name, attributes: {}, children: [], text: '' } });
    else if (this.#captured.length === 0) this.#emit({ kind: 'element', path, element });
  }

  #text(text: string): void {
    const element = this.#captured.at(-1);
    if (element) element.text += text;
  }

  #emit(event: XmlEvent): void {
    this.#events.push(event);
    this.#sinceEvent = 0;
  }
}

/** Burp declares 60 elements and attributes. */
const MAX_DOCTYPE = 64 * 1024;

/**
 * `<!DOCTYPE nmaprun>` and declarations of elements and attributes are harmless: nothing is looked up in them. Attacks
 * use entities and references to them, and no tool needs these. A reference to an external document type is ignored.
 */
function assertPlainDoctype(doctype: string): void {
  const known = doctype.length > MAX_DOCTYPE ? undefined : DOCTYPE.exec(doctype);
  if (known && DECLARATIONS.test(known[1] ?? '')) return;
  throw new ReportError(
    'unsafe_xml',
    'The XML has a document type with entities, which may read files or expand without end: send it without.',
  );
}

/** The root's name, the external identifier, and the text in brackets. */
const DOCTYPE = /^\s*[\w:.-]+(?:\s+(?:SYSTEM|PUBLIC)(?:\s*(?:"[^"<>]*"|'[^'<>]*')){1,2})?\s*(?:\[([^[\]]*)\]\s*)?$/;
const DECLARATIONS = /^\s*(?:(?:<!(?:ELEMENT|ATTLIST)\s[^<>&%]*>|<!--[^<>&%]*-->)\s*)*$/;

/** A reference to a forbidden character, such as `&#1;`, stays a text. */
function assertForbiddenReference(error: Error): void {
  if (!error.message.endsWith('malformed character entity.')) throw error;
}

function tooLarge(): ReportError {
  return new ReportError(
    'too_large',
    `One element of the XML is over ${LIMITS.rawValue} characters or ${MAX_ELEMENTS} elements: leave embedded files out.`,
  );
}

/** The text of the first child of that name, or undefined when there is none or it is blank. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  return childOf(element, name)?.text.trim() || undefined;
}

/** The first child with that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
