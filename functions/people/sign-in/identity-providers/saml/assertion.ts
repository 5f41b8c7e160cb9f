import type { SamlSettings } from '#shared/people/saml-settings.ts';
import { ASSERTION, allChildren, childrenOf, isNamed, type Node, onlyChild, textOf, Unreadable } from './xml.ts';

/** This service as a provider knows it. */
export type Ours = { entityId: string; acsUrl: string };
export type Expected = { ours: Ours; settings: SamlSettings; requestId: string; now: string };

/** The facts of an assertion that a certificate of the provider signed. */
export type Assertion = {
  id: string;
  /** From this time on the assertion proves nothing. */
  expiresAt: string;
  subject: string;
  isEmail: boolean;
  attributes: Record<string, string | string[]>;
};

const MAX_SUBJECT = 300;
const FORMATS = 'urn:oasis:names:tc:SAML:';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Reads the signed assertion (SAML Profiles, section 4.1.4). The library has compared the times and the audience.
 * @throws Unreadable
 */
export function readAssertion(assertion: Node, expected: Expected): Assertion {
  const id = assertion.getAttribute('ID') ?? '';
  if (!isNamed(assertion, [ASSERTION, 'Assertion']) || assertion.getAttribute('Version') !== '2.0' || id === '')
    throw new Unreadable('The signed element is no assertion of SAML 2.0.');
  if (textOf(onlyChild(assertion, [ASSERTION, 'Issuer'])) !== expected.settings.entityId)
    throw new Unreadable('The assertion has another issuer than the provider.');
  const subject = onlyChild(assertion, [ASSERTION, 'Subject']);
  const expiresAt = confirmedUntil(subject, expected);
  return { id, expiresAt, ...nameIn(subject), attributes: attributesOf(assertion) };
}

/** @returns the end of the confirmation that the browser brings */
function confirmedUntil(subject: Node, { ours, requestId }: Expected): string {
  const confirmation = onlyChild(subject, [ASSERTION, 'SubjectConfirmation']);
  if (confirmation.getAttribute('Method') !== BEARER) throw new Unreadable('The subject must be confirmed as bearer.');
  const data = onlyChild(confirmation, [ASSERTION, 'SubjectConfirmationData']);
  if (data.getAttribute('Recipient') !== ours.acsUrl)
    throw new Unreadable(`The assertion is for another recipient: it must be ${ours.acsUrl}.`);
  if (data.getAttribute('InResponseTo') !== requestId)
    throw new Unreadable('The assertion answers another request (InResponseTo).');
  const end = new Date(data.getAttribute('NotOnOrAfter') ?? '');
  if (Number.isNaN(end.valueOf())) throw new Unreadable('The assertion has no end (NotOnOrAfter).');
  return end.toISOString();
}

function nameIn(subject: Node): Pick<Assertion, 'subject' | 'isEmail'> {
  const name = onlyChild(subject, [ASSERTION, 'NameID']);
  const [text, format] = [textOf(name), name.getAttribute('Format') ?? ''];
  if (text === '' || text.length > MAX_SUBJECT)
    throw new Unreadable(`NameID must have 1 to ${MAX_SUBJECT} characters.`);
  if (format === `${FORMATS}2.0:nameid-format:transient`)
    throw new Unreadable('NameID is transient: choose a persistent NameID, or the e-mail address.');
  return { subject: text, isEmail: format === `${FORMATS}1.1:nameid-format:emailAddress` };
}

/** The attributes by name; an attribute with several values is a list. */
function attributesOf(assertion: Node): Assertion['attributes'] {
  const found = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, [ASSERTION, 'AttributeStatement']))
    for (const attribute of childrenOf(statement, [ASSERTION, 'Attribute'])) {
      const name = attribute.getAttribute('Name') ?? '';
      const values = childrenOf(attribute, [ASSERTION, 'AttributeValue']).filter(
        (value) => allChildren(value).length === 0,
      );
      found.set(name, [...(found.get(name) ?? []), ...values.map(textOf)]);
    }
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? String(values[0]) : values]),
  );
}
