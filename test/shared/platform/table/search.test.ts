import { expect, test } from 'vitest';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const store = useStore();

const tickets = ticketsWith('ticket');

test('a frequent word is counted exactly, and does not hide a rare one beside it', async () => {
  const table = newOrganization(store.dynamo);
  const rare = [
    await table.create(tickets, draft({ title: 'turbine pump' })),
    await table.create(tickets, draft({ title: 'turbine' })),
  ];
  for (let n = 0; n < 36; n++) {
    const ids = await table.reserve(tickets, 30);
    const batch = table.batch(true);
    for (const id of ids) batch.create(tickets, table.stamp<Ticket>({ id, ...draft() }));
    await batch.commit();
  }
  const paging = { paginateFrom: 0, paginateSize: 5 };
  await table.workJournal(tickets);
  const frequent = await table.list(tickets, { search: 'pump', ...paging });
  expect(frequent).toMatchObject({ totalCount: 1081 });
  const both = await table.list(tickets, { search: 'pump turbine', ...paging });
  expect(both).toEqual({
    data: [expect.objectContaining({ id: rare[0]?.id })],
    page: 1,
    pageSize: 5,
    totalCount: 1,
    totalPages: 1,
  });
  expect(await table.list(tickets, { search: 'pump turbine', paginateFrom: 1, paginateSize: 5 })).toMatchObject({
    data: [],
    totalCount: 1,
  });
  const nothing = await table.list(tickets, { search: 'pump steam', ...paging });
  expect(nothing).toEqual({ data: [], page: 1, pageSize: 5, totalCount: 0, totalPages: 0 });
});

test.each([
  ['CVE-2021-44228', 'cve-2021-44'],
  ['Ångström meter', 'ångst'],
  ['host 10.0.0.7 down', '10.0.'],
  ['(nginx) on web-01', 'NGINX'],
  ['日本 サーバー', 'サー'],
  ['openssh 7.4', 'openssh 7.4'],
  ['in src/app.py', 'app.py'],
  ['a\u{10428}bcdefghijklmnopqrstuvw\u{10428}xyz', 'a\u{10428}bcdefghijklmnopqrstuvw\u{10428}xyz'],
  ['port scanner', '"port"'],
])('%s is found by %s', async (title, search) => {
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(tickets, draft({ title }));
  const { data } = await table.list(tickets, { search, paginateFrom: 0, paginateSize: 5 });
  expect(data.map((one) => one.id)).toEqual([id]);
});

test.each(['', '  ', '!points', '#', '...'])(
  '%j asks for nothing and is refused or finds nothing, never everything',
  async (search) => {
    const table = newOrganization(store.dynamo);
    await table.create(tickets, draft({ title: 'pump' }));
    const answer = table.list(tickets, { search, paginateFrom: 0, paginateSize: 5 });
    const outcome = await answer.then(
      ({ data }) => data.length,
      ({ code }: { code: string }) => code,
    );
    expect(['validation_failed', 0]).toContain(outcome);
  },
);

test('a quoted word finds that word alone, not those that begin with it', async () => {
  const table = newOrganization(store.dynamo);
  await table.create(tickets, draft({ title: 'ports' }));
  const { data } = await table.list(tickets, { search: '"port"', paginateFrom: 0, paginateSize: 5 });
  expect(data).toEqual([]);
});
