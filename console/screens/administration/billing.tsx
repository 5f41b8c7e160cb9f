import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Billing as Account } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { bytesOf, dayOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import { Failed } from '../../parts/states.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { count, moneyOf } from '../../texts/amounts.ts';
import { billing as texts } from '../../texts/billing.ts';

const { plan: planWords, plans: offerWords, limits: limitWords, invoices: invoiceWords } = texts;

type Limit = Account['limits'][number];
type Plan = RecordOf<'BillingPlan'>;
type Invoice = RecordOf<'BillingInvoice'>;

const useBilling = question(async () => {
  const answer = await answerOf(client.GET('/api/v1/billing'));
  return { ...answer, data: answer.limits };
});
const usePlans = question(async () => ({ data: await answerOf(client.GET('/api/v1/billing/plans')) }));
const useInvoices = question(() =>
  answerOf(client.GET('/api/v1/billing/invoices', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const limited = ({ name }: Limit, amount: number): string => (name.endsWith('Bytes') ? bytesOf(amount) : count(amount));

/** Less than this of a limit is no news. */
const SHOWN_PART = 0.01;

const Use = (row: Limit) => (
  <>
    {limited(row, row.used)}{' '}
    {row.used >= SHOWN_PART * row.limit && (
      <progress aria-label={limitWords.part} value={Math.min(row.used, row.limit)} max={row.limit} />
    )}
  </>
);

const limitColumns: TableColumn<Limit>[] = [
  { label: limitWords.name, cell: ({ description }) => limitWords.nameOf(description) },
  { label: limitWords.used, cell: Use },
  { label: limitWords.limit, cell: (row) => limited(row, row.limit) },
  { label: limitWords.source, cell: ({ source }) => limitWords.sources[source] },
];

const invoiceColumns: TableColumn<Invoice>[] = [
  { label: invoiceWords.number, cell: ({ number }) => <span class="strong">{number ?? '–'}</span> },
  { label: invoiceWords.date, cell: ({ createdAt }) => dayOf(createdAt) },
  { label: invoiceWords.amount, cell: ({ amountDue, currency }) => moneyOf(amountDue, currency) },
  { label: invoiceWords.status, cell: ({ status }) => <span class="tag">{invoiceWords.statuses[status]}</span> },
  {
    label: invoiceWords.page,
    cell: ({ url }) =>
      url ? (
        <a class="link" href={url} rel="noreferrer">
          {invoiceWords.open}
        </a>
      ) : (
        '–'
      ),
  },
];

/** A page of the payment processor; the browser comes back from there. */
async function lead({ url }: { url: string }): Promise<undefined> {
  location.assign(url);
}

const quantity: Field = { name: 'quantity', label: offerWords.quantity, kind: 'number', required: true, initial: '1' };

const begin = async (plan: string, { number }: Values): Promise<undefined> =>
  lead(await answerOf(client.POST('/api/v1/billing/checkout', { body: { plan, quantity: number('quantity') ?? 1 } })));

const planColumns: TableColumn<Plan>[] = [
  { label: offerWords.name, cell: ({ name }) => <span class="strong">{name}</span> },
  {
    label: offerWords.price,
    cell: ({ amount, currency, every }) =>
      amount === null ? offerWords.tiers : offerWords.every(moneyOf(amount, currency), every.count, every.unit),
  },
  {
    label: offerWords.actions,
    cell: ({ id, name }) => (
      <FormDialog
        label={offerWords.begin}
        title={offerWords.beginOf(name)}
        lead={offerWords.away}
        look="link"
        fields={[quantity]}
        send={(values) => begin(id, values)}
      />
    ),
  },
];

const Plans = () => (
  <Listing
    title={offerWords.title}
    lead={offerWords.lead}
    words={offerWords}
    asked={usePlans('')}
    columns={planColumns}
    keyOf={({ id }) => id}
  />
);

const factsOf = ({ status, plan, period, trialEndsAt, endsAt, grace }: Account) =>
  [
    [planWords.name, plan ? planWords.nameOf(plan.name ?? plan.id, plan.quantity) : planWords.none],
    [planWords.status, planWords.statuses[status]],
    [planWords.period, period && planWords.span(dayOf(period.from), dayOf(period.to))],
    [planWords.trialEnds, trialEndsAt && dayOf(trialEndsAt)],
    [planWords.ends, endsAt && dayOf(endsAt)],
    [planWords.grace, grace && dayOf(grace.endsAt)],
  ] as const;

/** The plan, what it allows and costs, and the ways to another one. */
export function Billing() {
  const asked = useBilling('');
  const { data: account, error, ask } = asked;
  return (
    <>
      <section class="listing">
        <header>
          <h2>{planWords.title}</h2>
          {account?.actions.portal && (
            <Act
              label={planWords.portal}
              done={planWords.leads}
              look="button main"
              run={async () => lead(await answerOf(client.POST('/api/v1/billing/portal')))}
            />
          )}
        </header>
        {error && !account && <Failed error={error} again={ask} />}
        {account?.notice && <p class="note">{account.notice}</p>}
        {account && <Facts rows={factsOf(account)} />}
        {account && !account.actions.portal && !account.actions.checkout && <p class="soft">{planWords.ask}</p>}
      </section>
      {account?.actions.checkout && <Plans />}
      <Listing
        title={limitWords.title}
        lead={limitWords.lead}
        words={limitWords}
        asked={asked}
        columns={limitColumns}
        keyOf={({ name }) => name}
      />
      <Listing
        title={invoiceWords.title}
        lead={invoiceWords.lead}
        words={invoiceWords}
        asked={useInvoices('')}
        columns={invoiceColumns}
        keyOf={({ createdAt, number }) => `${createdAt} ${number}`}
      />
    </>
  );
}
