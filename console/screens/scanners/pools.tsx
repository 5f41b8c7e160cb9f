import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { dayOf } from '../../parts/format.ts';
import { LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { pool as words } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Pool = RecordOf<'PublicScannerGroupOption'>;
type Address = RecordOf<'PublicScannerSourceIp'>;

const query = { params: { query: { paginateSize: LIST_SIZE } } };
export const usePools = question(() =>
  answerOf(client.GET('/api/v1/validation-operations/public-scanner-groups/options', query)),
);
const useAddresses = question(() =>
  answerOf(client.GET('/api/v1/validation-operations/public-scanners/source-ips', query)),
);

const columns: TableColumn<Pool>[] = [
  {
    label: words.name,
    cell: ({ name, description }) => (
      <>
        <span class="strong">{name}</span> {description && <span class="soft small block">{description}</span>}
      </>
    ),
  },
  { label: words.region, cell: ({ region }) => region ?? '–' },
  {
    label: words.does,
    cell: ({ taskTypes }) => taskTypes.map((type) => texts.scanner.types[type]).join(', ') || words.all,
  },
  { label: words.state, cell: ({ availability }) => <span class="tag">{words.states[availability]}</span> },
  { label: words.mine, cell: ({ myPending, myRunning }) => words.mineOf(myPending, myRunning) },
];

const addressColumns: TableColumn<Address>[] = [
  { label: words.addresses.cidr, cell: ({ cidr }) => <code>{cidr}</code> },
  {
    label: words.addresses.pool,
    cell: ({ groupName, region }) => [groupName, region].filter(Boolean).join(', '),
  },
  { label: words.addresses.from, cell: ({ validFrom }) => dayOf(validFrom) },
  {
    label: words.addresses.until,
    cell: ({ validUntil }) => (validUntil ? dayOf(validUntil) : words.addresses.open),
  },
];

/** The provider's scanners, as its clients see them. */
const Pools = () => (
  <div class="page">
    <h1>{texts.screens.pools}</h1>
    <Views />
    <Listing
      title={words.title}
      lead={words.lead}
      words={words}
      asked={usePools('')}
      columns={columns}
      keyOf={({ id }) => id}
    />
    <Listing
      {...words.addresses}
      words={words.addresses}
      asked={useAddresses('')}
      columns={addressColumns}
      keyOf={({ cidr, scannerId, groupId, validFrom }) => [cidr, scannerId, groupId, validFrom].join(' ')}
    />
  </div>
);

export const parts = { List: Pools };
