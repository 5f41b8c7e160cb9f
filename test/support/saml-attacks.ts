/*
 * Ways in which a signed message is changed after its signature, each from a published attack.
 */

const between = (xml: string, name: string): string => {
  const found = new RegExp(`<${name}[ >][\\s\\S]*</${name}>`).exec(xml)?.[0];
  if (!found) throw new Error(`the message has no ${name}`);
  return found;
};

/** The parts of a response whose assertion, or whose whole, is signed. */
function partsOf(xml: string) {
  const [response, assertion] = [between(xml, 'samlp:Response'), between(xml, 'saml:Assertion')];
  const signature = between(xml, 'ds:Signature');
  const bare = assertion.replace(signature, '');
  return { response, assertion, signature, bare, evil: forged(bare) };
}

/** The subject that an attacker wants to be read. */
const ATTACKER = 'attacker@example.org';

const forged = (xml: string): string =>
  xml.replaceAll(/ ID="[^"]*"/g, ' ID="_evil"').replace(/(<saml:NameID[^>]*>)[^<]*/, `$1${ATTACKER}`);

const withObject = (signature: string, content: string): string =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

type Attack = (xml: string) => string;

/** Somorovsky et al., "On Breaking SAML" (2012): the first two wrap a signed response, the others a signed assertion. */
export const WRAPPED_RESPONSES: Readonly<Record<string, Attack>> = {
  'XSW1: the signed response is in the signature of another': (xml) => {
    const { response, signature } = partsOf(xml);
    const inner = response.replace(signature, '');
    return forged(inner).replace('<samlp:Status>', `${withObject(signature, inner)}<samlp:Status>`);
  },
  'XSW2: the signed response stands before the signature of another': (xml) => {
    const { response, signature } = partsOf(xml);
    const inner = response.replace(signature, '');
    return forged(inner).replace('<samlp:Status>', `${inner}${signature}<samlp:Status>`);
  },
};

export const WRAPPED_ASSERTIONS: Readonly<Record<string, Attack>> = {
  'XSW3: another assertion before the signed one': (xml) => {
    const { assertion, evil } = partsOf(xml);
    return xml.replace(assertion, `${evil}${assertion}`);
  },
  'XSW4: the signed assertion inside of another': (xml) => {
    const { assertion, evil } = partsOf(xml);
    return xml.replace(assertion, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
  },
  'XSW5: the signature in another assertion, the signed one after it': (xml) => {
    const { assertion, signature, bare, evil } = partsOf(xml);
    return xml.replace(assertion, `${evil.replace('<saml:Subject>', `${signature}<saml:Subject>`)}${bare}`);
  },
  'XSW6: the signed assertion in the signature of another': (xml) => {
    const { assertion, signature, bare, evil } = partsOf(xml);
    const wrapping = withObject(signature, '').replace('<ds:Object>', bare).replace('</ds:Object>', '');
    return xml.replace(assertion, evil.replace('<saml:Subject>', `${wrapping}<saml:Subject>`));
  },
  'XSW7: another assertion in extensions': (xml) => {
    const { evil } = partsOf(xml);
    return xml.replace('<samlp:Status>', `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`);
  },
  'XSW8: the signed assertion in an object of the signature': (xml) => {
    const { assertion, signature, bare, evil } = partsOf(xml);
    return xml.replace(assertion, evil.replace('<saml:Subject>', `${withObject(signature, bare)}<saml:Subject>`));
  },
  'CVE-2025-47949: another assertion of the same id': (xml) => {
    const { assertion, bare } = partsOf(xml);
    const evil = bare.replace(/(<saml:NameID[^>]*>)[^<]*/, `$1${ATTACKER}`);
    return xml.replace(assertion, `${evil}${assertion}`);
  },
  'an assertion of no namespace beside the signed one': (xml) => {
    const { assertion, evil } = partsOf(xml);
    return xml.replace(assertion, `${evil.replaceAll('saml:Assertion', 'Assertion')}${assertion}`);
  },
};

const HIDDEN = 'has comments, CDATA, instructions or a document type';

/** Changes that keep a signature as careless programs read it, each with the reason of its refusal. */
export const CHANGED_TEXTS: readonly (readonly [name: string, attack: Attack, reason: string])[] = [
  ['CVE-2017-11427: a comment in NameID', (xml) => xml.replace(/(<saml:NameID[^>]*>[^<]*?)@/, '$1@<!-- -->'), HIDDEN],
  ['an instruction in NameID', (xml) => xml.replace(/(<saml:NameID[^>]*>[^<]*?)@/, '$1@<?x ?>'), HIDDEN],
  ['CDATA in NameID', (xml) => xml.replace(/(<saml:NameID[^>]*>)([^<]*)/, '$1<![CDATA[$2]]>'), HIDDEN],
  [
    'CVE-2025-29775: a comment in DigestValue',
    (xml) => xml.replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->'),
    HIDDEN,
  ],
  ['a document type', (xml) => `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${xml}`, HIDDEN],
  ['an entity in NameID', (xml) => xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1&b;'), 'entity not found'],
  ['CVE-2025-29774: a second SignedInfo', withSecondInfo, 'exactly one SignedInfo'],
  ['a second reference', withSecondReference, 'exactly one Reference'],
  [
    'CVE-2025-54419: a character of NameID is gone',
    (xml) => xml.replace(/(<saml:NameID[^>]*>)./, '$1'),
    'fits no current certificate',
  ],
];

function withSecondInfo(xml: string): string {
  const info = between(xml, 'ds:SignedInfo');
  return xml.replace(info, `${info.replace(/<ds:DigestValue>[^<]*/, '<ds:DigestValue>AAAA')}${info}`);
}

function withSecondReference(xml: string): string {
  const reference = between(xml, 'ds:Reference');
  return xml.replace(reference, `${reference}${reference}`);
}
