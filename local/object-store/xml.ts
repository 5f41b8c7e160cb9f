type XmlValue = string | number | boolean | undefined | XmlValue[] | { [name: string]: XmlValue };

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** Writes one element. A list becomes one element per entry; undefined values are left out. */
function element(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((entry) => element(name, entry)).join('');
  const content =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([child, inner]) => element(child, inner))
          .join('')
      : String(value).replace(/[&<>"\r]/g, (character) => entities[character] ?? character);
  return `<${name}>${content}</${name}>`;
}

export function xmlDocument(name: string, value: XmlValue): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value)}`;
}

/** Reads the texts of all elements with a name, which is enough for the flat lists in S3 requests. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map((match) =>
    decodeEntities(match[1] ?? ''),
  );
}

function decodeEntities(text: string): string {
  const decoded = text.replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, digits) =>
    String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
  );
  return decoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
