import { useLocation } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Organization } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, dayOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import { role } from '../../session.ts';
import { enterClient } from '../../staff.ts';
import { count } from '../../texts/amounts.ts';
import { clients as texts } from '../../texts/clients.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { Copies } from './copies.tsx';
import { Limits } from './limits.tsx';
import { Removal } from './removal.tsx';

const { columns, ...words } = texts;
const reason: Field[] = [{ name: 'reason', label: words.reason, kind: 'text', required: true }];

const Figures = ({ record: { summary } }: { record: Organization }) => (
  <Section title={words.figures}>
    <Facts
      rows={[
        [columns.open, <OpenCounts key="open" counts={summary.findingsOpen} />],
        [columns.overdue, count(summary.overdue)],
        [columns.kev, count(summary.kevOpen)],
        [columns.assets, count(summary.assets)],
        [columns.offline, count(summary.scannersOffline)],
        [columns.failed, count(summary.integrationsFailed)],
        [columns.minutes, count(summary.poolMinutes30d)],
        [columns.lastImport, summary.lastImportAt ? agoOf(summary.lastImportAt) : words.never],
      ]}
    />
  </Section>
);

/** Only platform owners suspend clients. */
function Service({ record: { id, suspension }, changed }: PartProps<Organization>) {
  const params = { path: { id } };
  const suspend = async ({ text }: Values): Promise<undefined> => {
    await answerOf(client.POST('/api/v1/organizations/{id}/suspend', { params, body: { reason: text('reason') } }));
    changed();
  };
  const resume = async () => {
    await answerOf(client.POST('/api/v1/organizations/{id}/resume', { params }));
    changed();
  };
  if (role.value !== 'platform_owner') return null;
  return suspension ? (
    <Act label={words.resume} done={words.resumed} run={resume} />
  ) : (
    <FormDialog label={words.suspend} look="link" fields={reason} send={suspend} />
  );
}

function Sections(props: PartProps<Organization>) {
  const [, go] = useLocation();
  const { id, name, slug, plan, trialEndsAt, createdAt, deletionAt, suspension } = props.record;
  const enter = async () => {
    await enterClient(id, name);
    go('/');
  };
  return (
    <>
      <Section title={words.facts}>
        {suspension && (
          <p class="failed">{words.suspendedBy(suspension.by.name, agoOf(suspension.at), suspension.reason)}</p>
        )}
        <Facts
          rows={[
            [words.slug, slug],
            [words.plan, plan],
            [words.trialEnds, trialEndsAt && dayOf(trialEndsAt)],
            [words.since, dayOf(createdAt)],
            [words.deletion, deletionAt && dayOf(deletionAt)],
          ]}
        />
        <p class="soft">{words.enterLead}</p>
        <p class="acts">
          <Act label={words.enter} done={words.entered} run={enter} />
          <Service {...props} />
        </p>
      </Section>
      <Figures record={props.record} />
      <Limits {...props} />
      {role.value === 'platform_owner' && (
        <>
          <Copies {...props} />
          <Removal {...props} />
        </>
      )}
    </>
  );
}

const detail: Detail<Organization> = {
  title: words.title,
  path: '/organizations',
  useRecord: question((id) => answerOf(client.GET('/api/v1/organizations/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <span class="tag">{words.statuses[status]}</span>,
  Sections,
};

export const ClientDrawer = drawerOf(detail);
export const ClientPage = pageOf(detail);
