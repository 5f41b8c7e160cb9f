import type { Person } from '#shared/people/person.ts';
import { confirmTotp, hasSecondStep, offerTotp, removeTotp, renewCodes, takeCode } from '#shared/people/second-step.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { meOf } from './me.ts';
import type { userRoutes } from './routes.ts';

type StepRoutes = Pick<
  typeof userRoutes,
  'getMySecondStep' | 'offerTotp' | 'confirmTotp' | 'removeTotp' | 'renewRecoveryCodes'
>;

const stateOf = (person: Person) => ({
  totp: hasSecondStep(person),
  recoveryCodesLeft: person.recoveryCodes?.length ?? 0,
});

export const secondStepHandlers: Handlers<StepRoutes> = {
  getMySecondStep: async ({ table, caller }) => stateOf((await meOf(table, caller)).person),

  offerTotp: async ({ connections, table, caller }) => offerTotp(connections, (await meOf(table, caller)).person),

  async confirmTotp({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    return { recoveryCodes: await confirmTotp(connections, person, body.code) };
  },

  async removeTotp({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    await takeCode(connections, person, body.code);
    return stateOf(await removeTotp(connections, person));
  },

  async renewRecoveryCodes({ connections, table, caller, body }) {
    const { person } = await meOf(table, caller);
    await takeCode(connections, person, body.code);
    return { recoveryCodes: await renewCodes(connections, person) };
  },
};
