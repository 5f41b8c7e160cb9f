import { webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';

/** The parts of samlify that are used here: its own types bring those of browsers into every file. */
type Samlify = {
  setSchemaValidator: (validator: { validate: () => Promise<string> }) => void;
  IdentityProvider: (settings: object) => {
    getMetadata: () => string;
    parseLoginRequest: (service: Service, binding: 'redirect', sent: { query: object }) => Promise<Request>;
    createLoginResponse: (...given: [Service, Request, 'post', object, Fill]) => Promise<{ context: string }>;
  };
  ServiceProvider: (settings: object) => Service;
  SamlLib: { replaceTagsByValue: (template: string, tags: object) => string };
};
type Service = { entityMeta: { getAssertionConsumerService: (binding: 'post') => string; getEntityID: () => string } };
type Request = { extract: { request: { id: string } } };
type Fill = (template: string) => { id: string; context: string };

type Certificates = {
  X509CertificateGenerator: { createSelfSigned: (about: object) => Promise<{ toString: (format: 'pem') => string }> };
};

const require = createRequire(import.meta.url);
// the generator of certificates needs it
require('reflect-metadata');
const samlify: Samlify = require('samlify');
const { X509CertificateGenerator }: Certificates = require('@peculiar/x509');
const { IdentityProvider, ServiceProvider, SamlLib } = samlify;

// requests come from the code under test, and the schemas are a download
samlify.setSchemaValidator({ validate: async () => 'not checked' });

type KeyPair = { certificate: string; privateKey: string };

/** A key with its certificate, made by the test. `until`: when the certificate expires. */
export async function newKeyPair(until = new Date(Date.now() + 86_400_000)): Promise<KeyPair> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 10 * 86_400_000);
  const about = { name: 'CN=provider', notBefore, notAfter: until, keys, signingAlgorithm: algorithm };
  const made = await X509CertificateGenerator.createSelfSigned(about);
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g) ?? [];
  const privateKey = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
  return { certificate: made.toString('pem'), privateKey };
}

export type Said = {
  nameId?: string;
  format?: string;
  attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Replaces values of the template of the library. */
  tags?: Readonly<Record<string, string>>;
  /** Changes the message before it is signed. */
  before?: (xml: string) => string;
  signs?: 'assertion' | 'response' | 'both' | 'nothing';
  algorithm?: string;
};

type Options = { entityId?: string; keys?: KeyPair };

/** An identity provider that the library samlify plays. */
export async function samlProvider({ entityId = 'https://saml.example/idp', keys }: Options = {}) {
  const { certificate, privateKey } = keys ?? (await newKeyPair());
  const about = {
    entityID: entityId,
    signingCert: certificate,
    privateKey,
    nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: 'https://saml.example/sign-in' },
    ],
  };
  const metadata = IdentityProvider(about).getMetadata();

  /** The response to a request, as the form that a browser posts. */
  async function answer(url: string, ourMetadata: string, said: Said = {}) {
    const { signs = 'assertion', algorithm } = said;
    const provider = IdentityProvider({ ...about, ...(algorithm && { requestSignatureAlgorithm: algorithm }) });
    const isAssertion = signs === 'assertion' || signs === 'both';
    const service = ServiceProvider({
      metadata: ourMetadata.replace('WantAssertionsSigned="true"', `WantAssertionsSigned="${isAssertion}"`),
      wantMessageSigned: signs === 'both',
    });
    const query = Object.fromEntries(new URL(url).searchParams);
    const request = await provider.parseLoginRequest(service, 'redirect', { query });
    const filled = (template: string) => ({
      id: '',
      context: filledIn(template, request, { entityId, service, said }),
    });
    const { context } = await provider.createLoginResponse(service, request, 'post', {}, filled);
    const signed = Buffer.from(context, 'base64').toString('utf8');
    const xml = signs === 'nothing' ? withoutSignatures(signed) : signed;
    return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: query.RelayState ?? '', xml };
  }

  return { entityId, metadata, certificate, answer };
}

type Filling = { entityId: string; service: Service; said: Said };

function filledIn(template: string, request: Request, { entityId, service, said }: Filling): string {
  const acs = service.entityMeta.getAssertionConsumerService('post');
  const [now, later] = [new Date(), new Date(Date.now() + 300_000)].map((time) => time.toISOString());
  const tags = {
    ID: `_${webcrypto.randomUUID()}`,
    AssertionID: `_${webcrypto.randomUUID()}`,
    IssueInstant: now,
    Destination: acs,
    InResponseTo: request.extract.request.id,
    Issuer: entityId,
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    NameIDFormat: said.format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    NameID: said.nameId ?? 'ana@example.org',
    SubjectRecipient: acs,
    SubjectConfirmationDataNotOnOrAfter: later,
    ConditionsNotBefore: now,
    ConditionsNotOnOrAfter: later,
    Audience: service.entityMeta.getEntityID(),
    AuthnStatement: '',
    ...said.tags,
  };
  const attributes = Object.entries(said.attributes ?? {}).map(([name, values]) => {
    const texts = [values].flat().map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${name}">${texts.join('')}</saml:Attribute>`;
  });
  const statement =
    attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : '';
  const xml = SamlLib.replaceTagsByValue(template.replace('{AttributeStatement}', statement), tags);
  return said.before?.(xml) ?? xml;
}

const withoutSignatures = (xml: string): string => xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '');
