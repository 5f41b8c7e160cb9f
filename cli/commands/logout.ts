import { answerOf, Refused } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { changeProfiles, readProfiles } from '../profiles.ts';

/** `exposure logout` */
export const define: Define = (command, act) => {
  command.action(act(logout));
};

/** Ends the session at the service, then removes the profile. A session that has ended already is no mistake. */
async function logout(context: Context): Promise<undefined> {
  const { current, profiles } = await readProfiles(context.env);
  const name = context.options.profile ?? context.env.EXPOSURE_PROFILE ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name === undefined || !profile) throw usage('You are not signed in: there is nothing to end.');
  if (profile.credential.kind === 'session') await endSession(context, name);
  const { current: next } = await changeProfiles(context.env, (now) => {
    const { [name]: _gone, ...left } = now.profiles;
    return { current: now.current === name ? Object.keys(left)[0] : now.current, profiles: left };
  });
  context.note(`Signed out of ${profile.url}; the profile ${name} is removed.`);
  if (next !== undefined) context.note(`The profile is now ${next}.`);
  if (profile.credential.kind === 'key')
    context.note('The API key still works: revoke it in the console if nobody needs it.');
  return undefined;
}

async function endSession(context: Context, name: string): Promise<void> {
  try {
    const client = await context.client(name);
    await answerOf(client.DELETE('/api/v1/users/me/sessions/{id}', { params: { path: { id: 'current' } } }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
