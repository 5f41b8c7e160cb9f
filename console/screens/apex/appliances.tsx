import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Appliance } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { machineFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { FROM_MACHINES } from '../../records/starts.ts';
import { Turn } from '../../records/turn.tsx';
import { appliance } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';
import { ApplianceFacts, applianceColumns } from './appliance-facts.tsx';
import { Views } from './views.tsx';

const words = appliance;

const detail: Detail<Appliance> = {
  title: texts.screens.appliances,
  path: '/appliances',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/apex/{id}', { params: { path: { id } } })),
  ),
  titleOf: ({ name }) => name,
  Marks: ({ record }) => (
    <>
      <StatusMark status={record.status} />
      {record.public && <span class="tag">{words.shared}</span>}
    </>
  ),
  Sections: ({ record, put, changed }) => (
    <>
      <Turn
        text={words.next[record.status]}
        isOn={record.enabled}
        words={words}
        turn={(enabled) =>
          void act(
            client.PATCH('/api/v1/validation-operations/apex/{id}', {
              params: { path: { id: record.id } },
              headers: { 'if-match': `"${record.version}"` },
              body: { enabled },
            }),
            { done: words.changed, put, changed },
          )
        }
      />
      <Section title={texts.finding.page.facts}>
        <ApplianceFacts record={record} />
      </Section>
    </>
  ),
};

const kind: RecordKind<Appliance> = {
  name: 'appliance',
  feed: 'apex-appliance',
  path: '/api/v1/validation-operations/apex',
  icon: 'scanner',
  title: texts.screens.appliances,
  words,
  start: FROM_MACHINES,
  facets: [machineFacet],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/apex', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: applianceColumns,
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
