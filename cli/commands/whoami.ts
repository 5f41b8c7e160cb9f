import type { Define } from '../command.ts';
import { facts } from '../table.ts';
import { whoIs } from '../who.ts';

/** `exposure whoami` */
export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const { url, name } = await context.access();
      const profile = name ?? 'none, the environment has the key';
      const shown = { service: url, profile, ...(await whoIs(await context.client())) };
      context.print(context.options.json ? JSON.stringify(shown) : facts(context, shown));
      return undefined;
    }),
  );
};
