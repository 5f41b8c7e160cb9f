import { FIRST_STEP, takeConfirmation } from '#shared/people/confirmation.ts';
import { addPasskey, changePasskey, offerPasskey, takeProof } from '#shared/people/passkey.ts';
import type { SecondProof } from '#shared/people/passkey-records.ts';
import type { Passkey, Person } from '#shared/people/person.ts';
import { confirmTotp, mfaOf, offerTotp, removeTotp, renewCodes } from '#shared/people/second-step.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { meOf } from './me.ts';
import type { secondStepRoutes } from './second-step-routes.ts';

const stateOf = (person: Person) => ({
  ...mfaOf(person),
  recoveryCodesLeft: person.recoveryCodes?.length ?? 0,
});

/** @throws validation_failed */
function proofIn({ proof }: { proof?: SecondProof | undefined }): SecondProof {
  if (proof) return proof;
  throw invalid(
    'proof',
    'must have passkey, or code: a recovery code, or that of a letter where you have no second step',
  );
}

const showPasskey = ({ id, name, device, synced, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  device,
  synced,
  createdAt,
  lastUsedAt,
});

export const secondStepHandlers: Handlers<typeof secondStepRoutes> = {
  getMySecondStep: async ({ table, caller }) => stateOf((await meOf(table, caller)).person),

  offerTotp: async ({ connections, table, caller }) => offerTotp(connections, (await meOf(table, caller)).person),

  async confirmTotp({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    const proof = proofIn(body);
    const prove = () => takeConfirmation(connections, person, { proof, subject: FIRST_STEP });
    return { recoveryCodes: await confirmTotp(connections, person, { code: body.code, prove }) };
  },

  async removeTotp({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    await takeProof(connections, person, body);
    return stateOf(await removeTotp(connections, person));
  },

  async renewRecoveryCodes({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    await takeProof(connections, person, body);
    return { recoveryCodes: await renewCodes(connections, person) };
  },

  async listMyPasskeys({ table, caller, query }) {
    const { person } = await meOf(table, caller);
    return pageOfArray((person.passkeys ?? []).map(showPasskey), query);
  },

  offerPasskey: async ({ connections, table, caller }) => offerPasskey(connections, (await meOf(table, caller)).person),

  async addMyPasskey({ connections, table, caller, body: { passkey, name, code, proof }, request: { headers } }) {
    const { person } = await meOf(table, caller);
    await takeConfirmation(connections, person, { proof: { code, passkey: proof }, subject: FIRST_STEP });
    const device = headers['user-agent'] ?? 'unknown';
    const { added, recoveryCodes } = await addPasskey(connections, person, { passkey, name, device });
    return { ...showPasskey(added), recoveryCodes };
  },

  async renameMyPasskey({ connections, table, caller, params: { id }, body }) {
    const { person } = await meOf(table, caller);
    const { passkeys = [] } = await changePasskey(connections, person, id, given(body));
    const renamed = passkeys.find((one) => one.id === id);
    if (!renamed) throw notFound('passkey', id);
    return showPasskey(renamed);
  },

  async removeMyPasskey({ connections, table, caller, params: { id }, body }) {
    const { person } = await meOf(table, caller);
    if (!person.passkeys?.some((one) => one.id === id)) throw notFound('passkey', id);
    await takeProof(connections, person, body);
    return stateOf(await changePasskey(connections, person, id, undefined));
  },
};
