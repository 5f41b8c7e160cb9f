import type { Define } from '../command.ts';
import { facts } from '../table.ts';
import { whoIs } from '../who.ts';

/** `exposure whoami` */
export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const { url, name, kind } = await context.access();
      const who = await whoIs(await context.client(), kind);
      const shown = { service: url, profile: name ?? 'none, the environment has the key', ...who };
      context.print(context.options.json ? JSON.stringify(shown) : facts(context, shown));
      return undefined;
    }),
  );
};
