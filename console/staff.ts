import { signal } from '@preact/signals';
import { answerOf, client } from './api/client.ts';
import { forgetAnswers } from './api/question.ts';
import { requestToken, switchToken, type Token } from './session.ts';

/** The client in which a member of the provider's staff acts, with the token to which they return. */
export const acting = signal<{ name: string; role: string; own: Token } | undefined>(undefined);

const STAFF: readonly string[] = ['pentester', 'manager', 'platform_owner'];
export const isStaff = (role: string): boolean => STAFF.includes(role);

/** Signs an account of the provider's staff in, for an hour. @throws with the message of the service */
export async function signInAsStaff(clientId: string, clientSecret: string): Promise<void> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  switchToken({ ...(await requestToken(body)), isOfStaff: true });
}

/** Acts inside a client by its grant. @throws Refused where there is none */
export async function enterClient(id: string, name: string): Promise<void> {
  const { accessToken, expiresAt, role } = await answerOf(
    client.POST('/api/v1/organizations/{id}/access', { params: { path: { id } } }),
  );
  const own = switchToken({ text: accessToken, endsAt: Date.parse(expiresAt), role, isOfStaff: true });
  forgetAnswers();
  if (own) acting.value = { name, role, own };
}

/** Goes back to the clients. */
export function leaveClient(): void {
  if (acting.value) switchToken(acting.value.own);
  acting.value = undefined;
  forgetAnswers();
}
