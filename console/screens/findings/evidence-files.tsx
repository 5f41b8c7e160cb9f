import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { answerOf, client } from '../../api/client.ts';
import { askAgain, question, refusedBy } from '../../api/question.ts';
import { upload } from '../../api/upload.ts';
import { agoOf, bytesOf, percentOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Related } from '../../parts/related.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { evidenceFiles as words } from '../../texts/findings.ts';
import { form } from '../../texts/form.ts';
import { texts } from '../../texts.ts';

type EvidenceFile = RecordOf<'FindingEvidence'>;
const base = '/api/v1/findings/{id}/evidence';

const useFiles = question(async (id) => {
  const data = await answerOf(client.GET(base, { params: { path: { id } } }));
  return { data, totalCount: data.length };
});

/** The types that the service lets a browser show. */
const isShown = ({ mediaType }: EvidenceFile): boolean => /^(?:image|video|text)\/|^application\/json/.test(mediaType);

const refused = (error: unknown): void => notify(refusedBy(error).message, { isError: true });

/** The files that people put to a finding. A file opens in a frame of another origin that runs no script, or is a download. */
export const EvidenceFiles = ({ id }: { id: string }) => (
  <Related title={words.title} asked={useFiles(id)} none={words.none} foot={<AddFile id={id} />}>
    {(file) => <File file={file} />}
  </Related>
);

function File({ file }: { file: EvidenceFile }) {
  const shown = useSignal<string | undefined>(undefined);
  const params = { path: { id: file.findingId, evidenceId: file.id } };
  const addressOf = async (disposition: 'attachment' | 'inline') =>
    (await answerOf(client.GET(`${base}/{evidenceId}`, { params: { ...params, query: { disposition } } }))).downloadUrl;
  const show = async () => {
    shown.value = shown.value === undefined ? await addressOf('inline') : undefined;
  };
  const download = async () => location.assign(await addressOf('attachment'));
  return (
    <>
      <span class="strong">{file.name}</span>
      <span class="soft small">{bytesOf(file.sizeBytes)}</span>
      <span class="soft small">{texts.finding.by(file.createdBy.name, agoOf(file.createdAt))}</span>
      <span class="acts">
        {isShown(file) && (
          <button type="button" class="link" onClick={() => void show().catch(refused)}>
            {shown.value === undefined ? words.show : words.hide}
          </button>
        )}
        <button type="button" class="link" onClick={() => void download().catch(refused)}>
          {words.download}
        </button>
        <Act
          label={form.remove}
          sure={form.sureRemove}
          done={words.removed}
          run={() => answerOf(client.DELETE(`${base}/{evidenceId}`, { params }))}
        />
      </span>
      {shown.value !== undefined && (
        <iframe class="evidence-frame" sandbox="" src={shown.value} title={file.note ?? file.name} />
      )}
    </>
  );
}

function AddFile({ id }: { id: string }) {
  const input = useRef<HTMLInputElement>(null);
  const part = useSignal<number | undefined>(undefined);
  const add = async (file: globalThis.File) => {
    const uploadId = await upload(file, file.name, (sent) => {
      part.value = sent;
    });
    const kind = file.type.startsWith('image/') ? ('screenshot' as const) : ('text' as const);
    await answerOf(client.POST(base, { params: { path: { id } }, body: { uploadId, kind } }));
    askAgain();
  };
  return (
    <>
      <button type="button" class="button" disabled={part.value !== undefined} onClick={() => input.current?.click()}>
        {part.value === undefined ? words.add : words.sent(percentOf(part.value))}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.add}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (!file) return;
          part.value = 0;
          void add(file)
            .catch(refused)
            .finally(() => {
              part.value = undefined;
            });
        }}
      />
    </>
  );
}
