import { beforeAll, describe, expect, test } from 'vitest';
import {
  metadataOf,
  readMetadata,
  readResponse,
  requestOf,
} from '#functions/people/sign-in/identity-providers/saml-messages.ts';
import type { SamlSettings } from '#shared/people/saml-settings.ts';
import { CHANGED_TEXTS, WRAPPED_ASSERTIONS, WRAPPED_RESPONSES } from '#test/support/saml-attacks.ts';
import { newKeyPair, type Said, samlProvider } from '#test/support/saml-provider.ts';

const ours = {
  entityId: 'https://exposure.example/api/v1/sign-in/provider/1/metadata',
  acsUrl: 'https://exposure.example/api/v1/sign-in/provider/1/acs',
};
const requestId = '_request';
const MINUTE = 60_000;

let provider: Awaited<ReturnType<typeof samlProvider>>;
let settings: SamlSettings;
let url: string;
beforeAll(async () => {
  provider = await samlProvider();
  const read = await readMetadata(provider.metadata);
  if ('refused' in read) throw new Error(read.refused);
  settings = read;
  url = await requestOf({ ours, settings, requestId }, 'the-state');
});

const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

type Changes = Partial<{ requestId: string; settings: SamlSettings; ours: typeof ours; now: string }>;

const read = (xml: string, changes: Changes = {}) =>
  readResponse(Buffer.from(xml).toString('base64'), { ours, settings, requestId, now: at(0), ...changes });

const said = async (words: Said = {}): Promise<string> => (await provider.answer(url, metadataOf(ours), words)).xml;

const refusal = (words: string) => ({ refused: expect.stringContaining(words), isRefusal: false });

describe('a sign-in', () => {
  test('a request names this service, the address of the answer and the state', async () => {
    const { RelayState } = await provider.answer(url, metadataOf(ours));
    expect(RelayState).toBe('the-state');
    expect(new URL(url).origin + new URL(url).pathname).toBe('https://saml.example/sign-in');
  });

  test.each(['assertion', 'both'] as const)('the signed facts are read where the provider signs %s', async (signs) => {
    const attributes = { mail: 'ana@example.org', groups: ['analysts', 'staff'] };
    expect(await read(await said({ signs, attributes }))).toEqual({
      id: expect.stringMatching(/^_/),
      expiresAt: expect.stringContaining('Z'),
      subject: 'ana@example.org',
      isEmail: true,
      attributes,
    });
  });

  test('clocks may differ by less than a minute', async () => {
    const tags = { ConditionsNotBefore: at(MINUTE / 2) };
    expect(await read(await said({ tags }))).toHaveProperty('subject');
  });

  test('one of several certificates is enough, so that a provider can change its key', async () => {
    const { certificate } = await newKeyPair();
    const rotating = { ...settings, certificates: [certificate, provider.certificate] };
    expect(await read(await said(), { settings: rotating })).toHaveProperty('subject');
  });

  test('a refusal of the provider is shown in its words', async () => {
    const before = (xml: string) => xml.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, '');
    const tags = { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' };
    const xml = await said({ signs: 'response', before, tags });
    expect(await read(xml)).toEqual({ refused: 'The provider refuses: Responder', isRefusal: true });
  });
});

describe('an answer opens nothing', () => {
  test.each(Object.entries(WRAPPED_RESPONSES))('%s', async (_, attack) => {
    expect(await read(attack(await said({ signs: 'response' })))).toEqual(refusal('exactly one assertion'));
  });

  test.each(Object.entries(WRAPPED_ASSERTIONS))('%s', async (_, attack) => {
    expect(await read(attack(await said()))).toEqual(refusal('exactly one assertion'));
  });

  test.each(CHANGED_TEXTS)('%s', async (_, attack, reason) => {
    const xml = await said();
    expect(attack(xml)).not.toBe(xml);
    expect(await read(attack(xml))).toEqual(refusal(reason));
  });

  const foreign = 'https://other.example/acs';
  test.each<[string, Said, string]>([
    ['nothing is signed', { signs: 'nothing' }, 'The assertion is not signed itself'],
    ['only the response is signed', { signs: 'response' }, 'The assertion is not signed itself'],
    ['SHA-1 signs', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, 'is not accepted: sign with RSA'],
    ['another audience', { tags: { Audience: 'https://other.example' } }, 'audience mismatch'],
    ['another recipient', { tags: { SubjectRecipient: foreign } }, 'another recipient'],
    ['another destination', { tags: { Destination: foreign } }, 'not for this address'],
    ['another request', { tags: { InResponseTo: '_other' } }, 'answers another request'],
    ['another issuer', { tags: { Issuer: 'https://other.example/idp' } }, 'another issuer'],
    ['not yet', { tags: { ConditionsNotBefore: at(2 * MINUTE) } }, 'not yet valid'],
    ['no longer', { tags: { ConditionsNotOnOrAfter: at(-2 * MINUTE) } }, 'expired'],
    [
      'confirmed for too short',
      { tags: { SubjectConfirmationDataNotOnOrAfter: at(-2 * MINUTE) } },
      'No valid subject confirmation',
    ],
    ['a time that is none', { tags: { SubjectConfirmationDataNotOnOrAfter: 'soon' } }, 'not a valid date'],
    ['nobody', { nameId: '' }, 'NameID must have'],
    [
      'a name that changes each time',
      { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      'NameID is transient',
    ],
  ])('%s', async (_, words, reason) => {
    expect(await read(await said(words))).toEqual(refusal(reason));
  });

  const without = (pattern: RegExp) => (xml: string) => xml.replace(pattern, '');
  test.each<[string, (xml: string) => string, string]>([
    ['conditions', without(/<saml:Conditions[\s\S]*<\/saml:Conditions>/), 'exactly one Conditions'],
    ['an audience', without(/<saml:AudienceRestriction>[\s\S]*<\/saml:AudienceRestriction>/), 'no AudienceRestriction'],
    [
      'a confirmation',
      without(/<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>/),
      'exactly one SubjectConfirmation',
    ],
    [
      'a request that it answers',
      without(/(?<=<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/),
      'another request',
    ],
    ['an end', without(/(?<=<saml:SubjectConfirmationData[^>]*) NotOnOrAfter="[^"]*"/), 'not a valid date'],
    ['a destination', without(/ Destination="[^"]*"/), 'not for this address'],
  ])('a signed assertion without %s', async (_, before, reason) => {
    expect(await read(await said({ before }))).toEqual(refusal(reason));
  });

  test('another key signs, also with its certificate in the message', async () => {
    const thief = await samlProvider({ keys: await newKeyPair() });
    const { xml } = await thief.answer(url, metadataOf(ours));
    expect(xml).toContain('X509Certificate');
    expect(await read(xml)).toEqual(refusal('fits no current certificate'));
  });

  test('the certificate has expired', async () => {
    const keys = await newKeyPair(new Date(Date.now() - MINUTE));
    const { xml } = await (await samlProvider({ keys })).answer(url, metadataOf(ours));
    const expired = { ...settings, certificates: [keys.certificate] };
    expect(await read(xml, { settings: expired })).toEqual(refusal('have expired'));
    const both = { ...settings, certificates: [keys.certificate, provider.certificate] };
    expect(await read(xml, { settings: both })).toEqual(refusal('fits no current certificate'));
  });

  test('the answer to a provider of another organization', async () => {
    const other = { entityId: ours.entityId.replace('/1/', '/2/'), acsUrl: ours.acsUrl.replace('/1/', '/2/') };
    expect(await read(await said(), { ours: other })).toEqual(refusal('not for this address'));
  });

  test('an assertion that is encrypted', async () => {
    const before = (xml: string) => xml.replaceAll('saml:Assertion', 'saml:EncryptedAssertion');
    expect(await read(await said({ signs: 'response', before }))).toEqual(refusal('encrypted'));
  });

  test.each([
    ['elements beside each other', '<a/>'.repeat(10_000)],
    ['elements in each other', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`],
  ])('many %s', async (_, many) => {
    const before = process.cpuUsage();
    const xml = (await said()).replace('<samlp:Status>', `${many}<samlp:Status>`);
    expect(await read(xml)).toEqual(refusal('elements'));
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test.each(['', 'no XML', '<a', '<a/>', '\u0000'])('%j instead of a response', async (text) => {
    expect(await read(text)).toEqual(refusal(''));
  });
});

describe('metadata of a provider', () => {
  test('names the provider, its address and its certificates', () => {
    expect(settings).toEqual({
      entityId: provider.entityId,
      signInUrl: 'https://saml.example/sign-in',
      certificates: [provider.certificate.endsWith('\n') ? provider.certificate : `${provider.certificate}\n`],
    });
  });

  test.each([
    ['with a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'document type'],
    ['of a service', metadataOf(ours), 'exactly one IDPSSODescriptor'],
    ['of something else', '<a/>', 'EntityDescriptor'],
    ['without an address', '', 'cannot be read'],
  ])('%s is refused', async (_, text, reason) => {
    expect(await readMetadata(text)).toEqual(refusal(reason));
  });
});
