import { Argument } from 'commander';
import type { Define } from '../command.ts';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';

/** `exposure completion SHELL` */
export const define: Define = (command, act) => {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', '\nExample: source <(exposure completion bash)')
    .action(
      act(async (context, shell: Shell) => {
        context.print(SCRIPTS[shell].trimEnd());
        return undefined;
      }),
    );
};
