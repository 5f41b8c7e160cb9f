import type { Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { Act } from '../../parts/listing.tsx';
import { notify } from '../../parts/toasts.tsx';
import { administration } from '../../texts/administration.ts';
import { integrations as words } from '../../texts/integrations.ts';

type Tested = { works: boolean; error: { message: string } | null };

type ActionsProps = {
  enabled: boolean;
  change: (body: { enabled?: boolean; token?: string }) => Promise<unknown>;
  test: () => Promise<Tested>;
  rotate: () => Promise<{ webhookSecret: string }>;
  sync?: () => Promise<unknown>;
};

/** The actions that bring a connection back to work. */
export const ConnectionActions = ({ enabled, change, test, rotate, sync }: ActionsProps) => (
  <>
    <Act look="button main" label={words.test} done={words.works} run={() => passed(test())} />
    {sync && <Act look="button" label={words.sync} done={words.synced} run={sync} />}
    <FormDialog
      label={words.token}
      look="plain"
      fields={[{ name: 'token', label: words.newToken, hint: words.tokenHint, kind: 'text', required: true }]}
      send={async ({ text }: Values): Promise<undefined> => {
        await change({ token: text('token') });
        notify(words.tokenChanged);
      }}
    />
    <FormDialog
      label={words.secret}
      lead={words.secretLead}
      look="plain"
      fields={[]}
      send={async (): Promise<Secret> => ({
        title: words.secretTitle,
        lines: [{ label: administration.connections.webhookSecret, text: (await rotate()).webhookSecret }],
      })}
    />
    <Act
      look="button"
      label={enabled ? words.off : words.on}
      done={words.changed}
      run={() => change({ enabled: !enabled })}
    />
  </>
);

/** @throws with the answer of the other system */
async function passed(answer: Promise<Tested>): Promise<void> {
  const { works, error } = await answer;
  if (!works) throw new Error(error?.message ?? words.fails);
}
