import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { CountList } from '../../parts/count-list.tsx';
import { LIST_SIZE, Listing } from '../../parts/listing.tsx';
import { PageSearch, useSearchWords } from '../../parts/page-search.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { count } from '../../texts/amounts.ts';
import { inventory } from '../../texts/inventory.ts';
import { OpenCounts } from './open-counts.tsx';
import { Views } from './views.tsx';

type Product = RecordOf<'ProductAggregation'>;
type Service = RecordOf<'ServiceAggregation'>;
const { products, services, systems } = inventory;

const queryOf = (search: string) => ({
  params: { query: { paginateSize: LIST_SIZE, sort: 'assets' as const, ...(search !== '' && { search }) } },
});
const useProducts = question((search) => answerOf(client.GET('/api/v1/products', queryOf(search))));
const useServices = question((search) => answerOf(client.GET('/api/v1/services', queryOf(search))));
const useSystems = question(() => answerOf(client.GET('/api/v1/operating_systems')));

const productColumns: TableColumn<Product>[] = [
  {
    label: products.name,
    cell: ({ vendor, product }) => (
      <>
        <span class="strong">{product}</span> <span class="soft small">{vendor}</span>
      </>
    ),
  },
  { label: products.version, cell: ({ version }) => version ?? '–' },
  { label: products.assets, cell: ({ assets }) => count(assets) },
  { label: products.open, cell: ({ findings }) => <OpenCounts counts={findings} /> },
];

const serviceColumns: TableColumn<Service>[] = [
  { label: services.name, cell: ({ service }) => <span class="strong">{service ?? '–'}</span> },
  { label: services.port, cell: ({ port, protocol }) => `${port}/${protocol}` },
  { label: services.assets, cell: ({ assets }) => count(assets) },
  { label: services.exposed, cell: ({ exposedAssets }) => count(exposedAssets) },
];

/** Products, services and systems of the assets, most common first. */
function Inventory() {
  const search = useSearchWords();
  return (
    <div class="page">
      <h1>{inventory.title}</h1>
      <Views />
      <PageSearch label={inventory.search} />
      <Listing
        title={products.title}
        lead={products.lead}
        words={products}
        asked={useProducts(search)}
        columns={productColumns}
        keyOf={({ vendor, product, version, cpe }) => [vendor, product, version, cpe].join(' ')}
      />
      <Listing
        title={services.title}
        lead={services.lead}
        words={services}
        asked={useServices(search)}
        columns={serviceColumns}
        keyOf={({ service, port, protocol }) => [service, port, protocol].join(' ')}
      />
      <Systems />
    </div>
  );
}

function Systems() {
  const { data, error, ask } = useSystems('');
  return (
    <Section title={systems.title}>
      <p class="soft">{systems.lead}</p>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={3} />}
      {data && (
        <CountList
          rows={data.map(({ family, name, version, assets, links }) => ({
            label: [name ?? family, version].filter(Boolean).join(' '),
            amount: assets,
            list: links.list.assets,
          }))}
        />
      )}
    </Section>
  );
}

export const parts = { List: Inventory };
