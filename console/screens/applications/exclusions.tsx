import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { filterAfter, textOf } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { dayOf } from '../../parts/format.ts';
import { Related } from '../../parts/related.tsx';
import { notify } from '../../parts/toasts.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { application } from '../../texts/application.ts';

const words = application.exclusions;
const base = '/api/v1/software/applications/{id}/asset-exclusions';
const FIRST = 20;

const useExclusions = question((id) =>
  answerOf(client.GET(base, { params: { path: { id }, query: { paginateSize: FIRST } } })),
);

const fields: Field[] = [
  { name: 'condition', label: words.condition, hint: words.conditionHint, kind: 'long', required: true },
  { name: 'reason', label: words.reason, kind: 'text', required: true },
  { name: 'expiresAt', label: words.until, hint: words.untilHint, kind: 'moment' },
];

function bodyOf({ text, maybe, moment }: Values) {
  const { filter, filterId } = filterAfter(maybe('condition'));
  return {
    ...(filter && { condition: filter }),
    filterId,
    reason: text('reason'),
    expiresAt: moment('expiresAt') ?? null,
  };
}

const About = ({ exclusion: { assetId, condition } }: { exclusion: RecordOf<'ApplicationAssetExclusion'> }) =>
  assetId === null ? <code>{textOf(condition)}</code> : <Link href={`/assets/${assetId}`}>{words.asset}</Link>;

/** The assets that no rule of the application links, with the reasons. */
export const Exclusions = ({ id }: { id: string }) => (
  <Related
    title={words.title}
    asked={useExclusions(id)}
    none={words.none}
    foot={
      <FormDialog
        label={words.add}
        lead={words.lead}
        look="plain"
        fields={fields}
        send={async (values): Promise<undefined> => {
          await answerOf(client.POST(base, { params: { path: { id } }, body: bodyOf(values) }));
          notify(words.added);
        }}
      />
    }
  >
    {(exclusion) => (
      <>
        <span class="strong">{exclusion.reason}</span>
        <About exclusion={exclusion} />
        {exclusion.expiresAt && <span class="soft">{words.ends(dayOf(exclusion.expiresAt))}</span>}
        <RecordActs
          name={exclusion.reason}
          words={words}
          remove={() =>
            answerOf(client.DELETE(`${base}/{exclusion_id}`, { params: { path: { id, exclusion_id: exclusion.id } } }))
          }
        />
      </>
    )}
  </Related>
);
