import { answerOf, asTyped, client } from '../../api/client.ts';
import type { EngagementItem } from '../../api/types.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { DueMark } from '../../parts/marks.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { engagementForm } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';
import { engagementDetail } from './engagement-detail.tsx';
import { bodyOf, fieldsOf, previewWith, useOffer } from './engagement-form.tsx';
import { Views } from './views.tsx';

const { columns, ...words } = texts.engagement;
const STATUSES = [
  'requested',
  'approved',
  'scheduled',
  'running',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;

function Lead() {
  const { data: offer } = useOffer('');
  return (
    <>
      <Views />
      {offer && (
        <p>
          <FormDialog
            label={engagementForm.add}
            fields={fieldsOf(offer)}
            preview={previewWith(offer)}
            send={async (values): Promise<undefined> => {
              const body = bodyOf(values, offer);
              await answerOf(client.POST('/api/v1/validation-operations/engagements', { body }));
            }}
          />
        </p>
      )}
    </>
  );
}

const kind: RecordKind<EngagementItem> = {
  name: 'engagement',
  entity: 'engagement',
  feed: 'engagement',
  path: '/api/v1/validation-operations/engagements',
  icon: 'calendar',
  title: texts.screens.engagements,
  words,
  facets: [statusFacet(STATUSES)],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/engagements', asTyped(search))),
  Drawer: drawerOf(engagementDetail),
  Lead,
  columns: [
    { name: 'title', label: columns.title, cell: ({ title }) => <span class="cut strong">{title}</span> },
    statusColumn(columns.status, '148px'),
    { name: 'kind', label: columns.kind, width: '148px', shown: 'phone', cell: (row) => words.kinds[row.kind] },
    {
      name: 'requested',
      label: columns.requested,
      width: '140px',
      cell: ({ requestedBy }) => <span class="cut">{requestedBy.name}</span>,
    },
    {
      name: 'next',
      label: columns.next,
      shown: 'wide',
      cell: ({ nextRunAt }) => (nextRunAt ? agoOf(nextRunAt) : <span class="soft">–</span>),
    },
    { name: 'due', label: columns.due, width: '104px', cell: ({ dueAt }) => <DueMark dueAt={dueAt} /> },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(engagementDetail), ahead: aheadOf(kind) };
