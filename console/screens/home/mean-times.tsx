import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { percentOf } from '../../parts/format.ts';
import { Table, type TableColumn } from '../../parts/table.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { home } from '../../texts/home.ts';
import { Card } from './first.tsx';
import '../../style/administration.css';

const words = home.meanTimes;
const KINDS = ['findings', 'vulnerabilities', 'alerts', 'incidents'] as const;

type Metrics = RecordOf<'MeanTimeMetrics'>;
type Row = Metrics & { kind: (typeof KINDS)[number] };

/** Of a person without the right to all parts there are none. */
const useMeanTimes = question(() => answerOf(client.GET('/api/v1/dashboards/meantime')));

const mean = (measure: Metrics['openAge']) => (measure ? words.time(measure.meanSeconds) : '–');

/** A shorter time is better. */
const Change = ({ change: { d30 } }: Metrics) => {
  if (d30 === null || d30 === 0) return <>–</>;
  return (
    <span class={d30 > 0 ? 'overdue' : ''}>
      {d30 > 0 ? words.slower(percentOf(d30)) : words.faster(percentOf(-d30))}
    </span>
  );
};

const columns: TableColumn<Row>[] = [
  { label: words.kind, cell: ({ kind }) => <span class="strong">{words.kinds[kind]}</span> },
  { label: words.acknowledged, cell: ({ timeToAcknowledge }) => mean(timeToAcknowledge) },
  { label: words.fixed, cell: ({ timeToRemediate }) => mean(timeToRemediate) },
  { label: words.open, cell: ({ openAge }) => mean(openAge) },
  { label: words.change, cell: Change },
];

/** How long work takes; kinds of which nothing ended or is open are left out. */
export function MeanTimes() {
  const { data } = useMeanTimes('');
  if (!data) return null;
  const rows = KINDS.map((kind) => ({ kind, ...data[kind] })).filter(
    ({ openAge, timeToAcknowledge, timeToRemediate }) => openAge ?? timeToAcknowledge ?? timeToRemediate,
  );
  if (rows.length === 0) return null;
  return (
    <Card title={words.title}>
      <Table caption={words.title} columns={columns} rows={rows} keyOf={({ kind }) => kind} />
      <p class="soft small">{words.lead}</p>
    </Card>
  );
}
