import { newId } from '#shared/platform/runtime/ids.ts';
import { prove } from './identity-providers.ts';
import { type Said, samlProvider } from './saml-provider.ts';
import { exchange, proofKey } from './sign-in.ts';
import type { TestOrganization, TestSystem } from './system.ts';

type Changed = { said?: Said; change?: (xml: string) => string };

/** An active SAML provider of an organization, and browsers that sign in with it. */
export async function samlConnection(system: TestSystem, organization: TestOrganization) {
  const { admin } = organization;
  const anybody = system.client();
  const idp = await samlProvider({ entityId: `https://${newId()}.example/idp` });
  const domain = `${newId()}.example`;
  const { id, setup } = await admin.ok('createIdentityProvider', { body: { kind: 'saml', name: 'Example SAML' } });
  const [params, publicId] = [{ id }, setup.acsUrl.split('/').at(-2) ?? ''];
  const ourMetadata = await anybody.ok('getSamlMetadata', { params: { id: publicId } });
  const email = `ana@${domain}`;

  /** The form that the provider lets a browser post. */
  async function answer(url: string, { said = {}, change = (xml) => xml }: Changed = {}) {
    const { RelayState, xml } = await idp.answer(url, ourMetadata, { nameId: email, ...said });
    return { RelayState, SAMLResponse: Buffer.from(change(xml)).toString('base64') };
  }

  const post = (form: Record<string, string>, at = publicId) =>
    anybody.send('POST', `/api/v1/sign-in/provider/${at}/acs`, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  const finish = (callback: string, codeVerifier: string) =>
    anybody.call('finishProviderSignIn', { body: { callback, codeVerifier } });

  /** Follows the page that the service answers. */
  async function bring(form: Record<string, string>, verifier: string) {
    const page = await post(form);
    const callback = /content="0;url=([^"]*)"/.exec(String(page.body))?.[1];
    if (!callback) throw new Error(`no page leads on: ${JSON.stringify(page.body)}`);
    return finish(callback, verifier);
  }

  async function begin() {
    const { verifier, codeChallenge } = proofKey();
    const { url } = await anybody.ok('beginProviderSignIn', { body: { provider: publicId, codeChallenge } });
    return { url, verifier };
  }

  async function attempt(changed: Changed = {}) {
    const { url, verifier } = await begin();
    const form = await answer(url, changed);
    return { form, verifier, answered: await bring(form, verifier) };
  }

  async function signIn(said: Said = {}) {
    const { answered, verifier } = await attempt({ said });
    if (answered.status !== 200) throw new Error(`the sign-in is refused: ${answered.body.message}`);
    return exchange(anybody, answered.body.code ?? '', verifier);
  }

  /** The steps of an administrator, without the minutes that DNS takes. */
  async function activate() {
    await admin.ok('updateIdentityProvider', { params, body: { samlMetadata: idp.metadata } });
    await admin.ok('addProviderDomain', { params, body: { name: domain } });
    await prove(organization, id, domain);
    const { verifier, codeChallenge } = proofKey();
    const { url } = await admin.ok('testIdentityProvider', { params, body: { codeChallenge } });
    const tested = await bring(await answer(url), verifier);
    await admin.ok('activateIdentityProvider', { params });
    return tested;
  }

  return {
    id,
    publicId,
    setup,
    idp,
    domain,
    email,
    ourMetadata,
    answer,
    post,
    finish,
    bring,
    begin,
    attempt,
    signIn,
    activate,
  };
}
