import { X509Certificate } from 'node:crypto';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { type Assertion, type Expected, readAssertion } from './assertion.ts';
import {
  ASSERTION,
  childrenOf,
  isNamed,
  type Node,
  onlyChild,
  PROTOCOL,
  parentOf,
  parsed,
  SIGNATURE,
  textOf,
  Unreadable,
  within,
  withinAny,
} from './xml.ts';

/** Clocks of providers differ from ours by less than this. */
const CLOCK_MS = 60_000;

/** Reads a response. @throws Unreadable, and errors of the library */
export async function judge(encoded: string, expected: Expected): Promise<Assertion> {
  const text = xmlIn(encoded);
  const response = await parsed(text);
  assertAddressed(response, expected);
  assertSuccess(response);
  assertOneAssertion(response);
  assertAlgorithms(response);
  const signed = await verified(text, expected);
  return readAssertion(await parsed(signed), expected);
}

/** Comments and instructions have hidden parts of names and digests before (CVE-2017-11427, CVE-2025-29775): no provider needs them. */
function xmlIn(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  const content = text.startsWith('<?xml') ? text.slice(text.indexOf('?>') + 2) : text;
  if (content.includes('<!') || content.includes('<?'))
    throw new Unreadable('The response has comments, CDATA, instructions or a document type.');
  return text;
}

function assertAddressed(response: Node, { ours, settings, requestId }: Expected): void {
  if (!isNamed(response, [PROTOCOL, 'Response']) || response.getAttribute('Version') !== '2.0')
    throw new Unreadable('The message is no response of SAML 2.0.');
  if (response.getAttribute('InResponseTo') !== requestId)
    throw new Unreadable('The response answers another request (InResponseTo). Sign-ins begin at this service.');
  if (response.getAttribute('Destination') !== ours.acsUrl)
    throw new Unreadable(`The response is not for this address (Destination): it must be ${ours.acsUrl}.`);
  for (const issuer of childrenOf(response, [ASSERTION, 'Issuer']))
    if (textOf(issuer) !== settings.entityId)
      throw new Unreadable('The response has another issuer than the provider.');
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** The status is not signed: it only explains why there is no assertion. */
function assertSuccess(response: Node): void {
  const status = onlyChild(response, [PROTOCOL, 'Status']);
  const codes = within(status, [PROTOCOL, 'StatusCode']).map((code) => code.getAttribute('Value') ?? '');
  if (codes[0] === SUCCESS) return;
  const message = childrenOf(status, [PROTOCOL, 'StatusMessage']).map(textOf);
  const said = [...codes.map((code) => code.slice(code.lastIndexOf(':') + 1)), ...message].join(', ');
  throw new Unreadable(`The provider refuses: ${said}`, true);
}

/** All wrapping attacks bring a second assertion, or a signature that is not a child of what it signs. */
function assertOneAssertion(response: Node): void {
  for (const name of ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute', 'EncryptedData'])
    if (withinAny(response, name).length > 0)
      throw new Unreadable('The assertion is encrypted: turn the encryption off at the provider.');
  const [assertion, ...others] = withinAny(response, 'Assertion');
  if (!assertion) throw new Unreadable('The response has no assertion.');
  if (others.length > 0 || withinAny(response, 'Response').length !== 1)
    throw new Unreadable('The response must have exactly one assertion.');
  if (childrenOf(response, [ASSERTION, 'Assertion'])[0] !== assertion)
    throw new Unreadable('The assertion must be a child of the response.');
  // the library fails without words where they are missing
  onlyChild(assertion, [ASSERTION, 'Conditions']);
  const signatures = withinAny(response, 'Signature');
  if (!signatures.some((signature) => parentOf(signature) === assertion))
    throw new Unreadable('The assertion is not signed itself: turn on signed assertions at the provider.');
  for (const owner of [assertion, response])
    if (childrenOf(owner, [SIGNATURE, 'Signature']).length > 1) throw new Unreadable('An element is signed twice.');
  for (const signature of signatures) assertSignature(signature, [assertion, response]);
}

function assertSignature(signature: Node, owners: readonly Node[]): void {
  const owner = parentOf(signature);
  if (!owner || !owners.includes(owner))
    throw new Unreadable('A signature is not a child of the element that it signs.');
  const info = onlyChild(signature, [SIGNATURE, 'SignedInfo']);
  const reference = onlyChild(info, [SIGNATURE, 'Reference']);
  if (reference.getAttribute('URI') !== `#${owner.getAttribute('ID')}`)
    throw new Unreadable('A signature is of another element than its parent.');
  if (within(signature, [SIGNATURE, 'Object']).length > 0) throw new Unreadable('A signature has objects.');
}

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  CanonicalizationMethod: [EXCLUSIVE],
  Transform: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
};

function assertAlgorithms(response: Node): void {
  for (const [name, allowed] of Object.entries(ALGORITHMS))
    for (const method of withinAny(response, name)) {
      const algorithm = method.getAttribute('Algorithm') ?? '';
      if (!allowed.includes(algorithm))
        throw new Unreadable(`The algorithm ${algorithm} is not accepted: sign with RSA and SHA-256.`);
    }
}

/** @returns the XML that a certificate of the provider signed @throws Unreadable */
async function verified(text: string, { ours, settings, requestId, now }: Expected): Promise<string> {
  const library = new SAML({
    issuer: ours.entityId,
    callbackUrl: ours.acsUrl,
    audience: ours.entityId,
    idpCert: currentCertificates(settings.certificates, now),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    // the request is a ticket, which is used up before its answer is read
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? now : null),
      removeAsync: async () => null,
    },
  });
  const answer = await library.validatePostResponseAsync({ SAMLResponse: Buffer.from(text).toString('base64') });
  const signed = answer.profile?.getAssertionXml?.();
  if (!signed) throw new Unreadable('The response has no assertion that is signed.');
  return signed;
}

/** A certificate that has expired proves nothing: its key may be in other hands. @throws Unreadable */
function currentCertificates(certificates: readonly string[], now: string): string[] {
  const all = certificates.map((pem) => new X509Certificate(pem));
  const current = all.filter(({ validToDate }) => validToDate.toISOString() > now);
  if (current.length > 0) return current.map(String);
  throw new Unreadable(
    'The certificates of the provider have expired: add the certificate that the provider uses now.',
  );
}
