import { Link } from 'wouter-preact';
import { answerOf, client, Refused } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Asset } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { PartProps } from '../../records/detail.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import { merge } from '../../texts/inventory.ts';
import { texts } from '../../texts.ts';
import { ChangePreview } from '../settings/change-preview.tsx';

const words = texts.asset.acts;
const MAX_SHOWN = 6;

const find = async (search: string, self: string): Promise<Asset[]> => {
  const query = { search, paginateSize: MAX_SHOWN };
  const { data } = await answerOf(client.GET('/api/v1/assets/search', { params: { query } }));
  return data.filter(({ id }) => id !== self);
};

const useFound = question(async (about: string) => {
  const { typed, self }: { typed: string; self: string } = JSON.parse(about);
  return typed === '' ? [] : find(typed, self);
});

const otherField: Field = { name: 'intoId', label: words.other, hint: words.otherHint, kind: 'text', required: true };

/** The assets that the typed name fits; of the only one, what the merge would change. */
function Found({ typed, self }: { typed: string; self: string }) {
  const { data, error } = useFound(JSON.stringify({ typed, self }));
  const [only, ...others] = data ?? [];
  if (error) return <p class="preview overdue">{error.message}</p>;
  if (only === undefined) return <p class="preview soft">{words.typeOther}</p>;
  return (
    <>
      <div class="preview" aria-live="polite">
        {others.length === 0 ? words.into(only.name) : words.several}
        {others.length > 0 && (
          <ul class="bullets">
            {[only, ...others].map(({ id, name, value }) => (
              <li key={id}>
                {name} <code>{value}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
      {others.length === 0 && (
        <ChangePreview change={{ operation: 'mergeAssets', id: self, body: { intoId: only.id } }} />
      )}
    </>
  );
}

async function mergeInto(id: string, { text }: Values): Promise<undefined> {
  const [only, ...others] = await find(text('intoId'), id);
  if (only === undefined || others.length > 0) throw new Refused({}, words.notOne);
  await answerOf(client.POST('/api/v1/assets/{id}/merge', { params: { path: { id } }, body: { intoId: only.id } }));
  notify(merge.accepted);
}

/** An asset that is gone, mistaken or the same as another one. */
export function AssetActs({ record: { id, name, status }, changed }: PartProps<Asset>) {
  const at = { params: { path: { id } } };
  const after = async (answer: Promise<unknown>) => {
    await answer;
    changed();
  };
  const isRetired = status === 'retired';
  return (
    <RecordActs name={name} words={words} remove={() => after(answerOf(client.DELETE('/api/v1/assets/{id}', at)))}>
      {isRetired ? (
        <Act
          label={words.bringBack}
          done={words.back}
          run={() => after(answerOf(client.POST('/api/v1/assets/{id}/return', at)))}
        />
      ) : (
        <Act
          label={words.retire}
          sure={words.sureRetire}
          done={words.retired}
          run={() => after(answerOf(client.POST('/api/v1/assets/{id}/retire', at)))}
        />
      )}
      <FormDialog
        label={words.merge}
        title={words.mergeOf(name)}
        look="link"
        fields={[otherField]}
        preview={({ text }) => <Found typed={text('intoId')} self={id} />}
        send={(values) => mergeInto(id, values)}
      />
    </RecordActs>
  );
}

/** The assets that were merged into this one, with the way back. */
export const MergedFrom = ({ merged }: { merged: NonNullable<Asset['mergedFrom']> }) =>
  merged.length === 0 ? null : (
    <Section title={words.mergedFrom}>
      <ul class="related">
        {merged.map(({ id, name, value, mergedAt, taskId }) => (
          <li key={id}>
            <span>
              {name} <code>{value}</code>
            </span>
            <span class="soft small">
              {agoOf(mergedAt)}{' '}
              <Act
                label={merge.undo}
                done={merge.undone}
                run={() =>
                  answerOf(client.POST('/api/v1/assets/merges/{taskId}/undo', { params: { path: { taskId } } }))
                }
              />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Link href="/merges">{texts.screens.merges}</Link>
      </p>
    </Section>
  );
