import { answerOf, client } from '../../api/client.ts';
import { askAgain, question } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { nameOf } from '../../texts/names.ts';
import { reports } from '../../texts/reports.ts';
import { classOf, classOptions, NONE } from './report-form.ts';

type Brand = RecordOf<'ReportBrand'>;

const { looks: words } = reports;
const path = '/api/v1/reports/brand';
const useBrand = question(() => answerOf(client.GET(path)));
/** The colours of an organization that set none: a colour field always has a value. */
const USUAL = '#1f4e8c';

const fieldsOf = ({ logo, colour, accent, footer, classification }: Brand): Field[] => [
  { name: 'logo', label: words.logo, hint: words.logoHint, kind: 'file', accept: 'image/png' },
  ...(logo ? [{ name: 'noLogo', label: words.noLogo, kind: 'check' } as const] : []),
  { name: 'colour', label: words.colour, kind: 'colour', width: 'half', initial: colour ?? USUAL },
  { name: 'accent', label: words.accent, kind: 'colour', width: 'half', initial: accent ?? colour ?? USUAL },
  { name: 'footer', label: words.footer, hint: words.footerHint, kind: 'text', initial: footer ?? '' },
  {
    name: 'classification',
    label: words.classification,
    kind: 'choice',
    initial: classification ?? NONE,
    options: classOptions,
  },
];

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function save(values: Values): Promise<undefined> {
  const { text, maybe, file, isChecked } = values;
  const chosen = file('logo');
  const logo = chosen ? await base64Of(chosen) : isChecked('noLogo') ? null : undefined;
  const body = {
    ...(logo !== undefined && { logo }),
    colour: text('colour'),
    accent: text('accent'),
    footer: maybe('footer') ?? null,
    classification: classOf(values),
  };
  await answerOf(client.PATCH(path, { body }));
  notify(words.saved);
  askAgain();
}

const Colour = ({ value }: { value: string }) => (
  <>
    <i class="swatch" style={{ background: value }} aria-hidden="true" />
    <code>{value}</code>
  </>
);

/** Logo, colours, footer and classification of all reports. */
export function Looks() {
  const { data, error, ask } = useBrand('');
  return (
    <section class="listing">
      <header>
        <h2>{words.title}</h2>
        {data && <FormDialog label={words.change} lead={words.lead} fields={fieldsOf(data)} send={save} />}
      </header>
      <p class="soft">{words.lead}</p>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={3} />}
      {data && (
        <Facts
          rows={[
            [words.logo, data.logo && <img class="report-logo" src={`data:image/png;base64,${data.logo}`} alt="" />],
            [words.colour, <Colour key="colour" value={data.colour ?? USUAL} />],
            [words.accent, <Colour key="accent" value={data.accent ?? data.colour ?? USUAL} />],
            [words.footer, data.footer],
            [words.classification, data.classification && nameOf(data.classification)],
          ]}
        />
      )}
    </section>
  );
}
