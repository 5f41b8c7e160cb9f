import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import type { Client } from './client.ts';
import { exchange, newAddress, proofKey, type SignedIn } from './sign-in.ts';
import type { TestOrganization, TestSystem } from './system.ts';
import { until } from './wait.ts';

type Mailing = Pick<TestSystem, 'connections'>;

/** The letters that an address got, the newest last. */
export async function lettersTo({ connections }: Mailing, address: string): Promise<ParsedMail[]> {
  const directory = connections.settings.MAIL_DIR ?? '';
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const found: ParsedMail[] = [];
  for (const name of names) {
    const raw = await readFile(join(directory, name));
    if (raw.includes(`To: ${address}`)) found.push(await simpleParser(raw));
  }
  return found;
}

/** Waits for the `n`th letter to an address. */
export async function letterTo(system: Mailing, address: string, n = 1): Promise<ParsedMail> {
  const letters = await until(
    () => lettersTo(system, address),
    (found) => found.length >= n,
  );
  const letter = letters[n - 1];
  if (!letter) throw new Error(`no letter ${n} to ${address}`);
  return letter;
}

/** The address in a letter, which a person opens. */
export function linkIn({ text }: Pick<ParsedMail, 'text'>): string {
  const [link] = /https?:\/\/\S+#token=\w+/.exec(text ?? '') ?? [];
  if (!link) throw new Error('the letter has no link');
  return link;
}

/** The token in the link of a letter. */
export function tokenIn({ text }: Pick<ParsedMail, 'text'>): string {
  const [, token] = /#token=(\w+)/.exec(text ?? '') ?? [];
  if (!token) throw new Error('the letter has no link with a token');
  return token;
}

/** The code of the letter with which a person without a second step proves who they are. */
export async function codeFor(system: Mailing, client: Client, userCode?: string): Promise<string> {
  const { email } = await client.ok('getMe');
  const before = (await lettersTo(system, email)).length;
  await client.ok('requestConfirmation', { body: userCode === undefined ? {} : { userCode } });
  const { text } = await letterTo(system, email, before + 1);
  const [, code] = /Code: (\d{8})/.exec(text ?? '') ?? [];
  if (!code) throw new Error('the letter has no code');
  return code;
}

type TestPerson = SignedIn & { id: string; email: string; client: Client };

/** A person who was invited to an organization and has accepted. */
export async function personIn(
  system: TestSystem,
  organization: TestOrganization,
  { role = 'analyst', email = newAddress(), name = 'Ana Lima' }: { role?: string; email?: string; name?: string } = {},
): Promise<TestPerson> {
  const before = (await lettersTo(system, email)).length;
  const user = await organization.admin.ok('inviteUser', { body: { email, name, roles: [{ roleId: role }] } });
  const token = tokenIn(await letterTo(system, email, before + 1));
  const { verifier, codeChallenge } = proofKey();
  const { code } = await system.client().ok('acceptInvitation', { body: { token, codeChallenge } });
  const tokens = await exchange(system.client(), code ?? '', verifier);
  return { ...tokens, id: user.id, email, client: system.client(() => tokens.accessToken) };
}

/** Signs a person in with a link. */
export async function signInWithLink(system: TestSystem, email: string): Promise<SignedIn> {
  const before = (await lettersTo(system, email)).length;
  await system.client().ok('requestSignIn', { body: { email } });
  const token = tokenIn(await letterTo(system, email, before + 1));
  const { verifier, codeChallenge } = proofKey();
  const { code } = await system.client().ok('signIn', { body: { token, codeChallenge } });
  return exchange(system.client(), code ?? '', verifier);
}
