import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { texts } from '../../texts.ts';
import { hasNone, proofField, proofIn, readStep, sendCode } from '../administration/own-proof.ts';

const words = texts.device;
const codeField: Field = { name: 'userCode', label: words.code, kind: 'text', required: true };

type Asked = { program: RecordOf<'DeviceProgram'>; step: RecordOf<'SecondStepState'>; userCode: string };
type Decision = RecordOf<'DeviceDecision'>;

const find = (userCode: string) => answerOf(client.POST('/api/v1/users/me/device-codes', { body: { userCode } }));

const decide = {
  approve: (body: { userCode: string } & Awaited<ReturnType<typeof proofIn>>) =>
    answerOf(client.POST('/api/v1/users/me/device-codes/approve', { body })),
  refuse: (userCode: string) => answerOf(client.POST('/api/v1/users/me/device-codes/refuse', { body: { userCode } })),
};

/** The page on which a person signs a program in, by the code that the program shows (RFC 8628). */
export function Device() {
  const asked = useSignal<Asked | undefined>(undefined);
  const outcome = useSignal('');
  const initial = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  const look = async ({ text }: Values) => {
    outcome.value = '';
    const userCode = text('userCode');
    const [program, step] = await Promise.all([find(userCode), readStep()]);
    asked.value = { program, step, userCode };
    await sendCode(step, userCode);
  };
  const onDecided = ({ approved }: Decision) => {
    asked.value = undefined;
    outcome.value = approved ? words.approved : words.refused;
  };
  return (
    <div class="page">
      <h1>{words.title}</h1>
      {asked.value && <Question asked={asked.value} onDecided={onDecided} />}
      {!asked.value && !outcome.value && <Form fields={[{ ...codeField, initial }]} submit={words.look} send={look} />}
      <p role="status">{outcome.value}</p>
    </div>
  );
}

type QuestionProps = { asked: Asked; onDecided: (decision: Decision) => void };

/** The person approves with a proof that a script of the page does not have. */
function Question({ asked: { program, step, userCode }, onDecided }: QuestionProps) {
  const { client: name, device, remoteAddress } = program;
  const approve = async (values: Values) => onDecided(await decide.approve({ userCode, ...(await proofIn(values)) }));
  const refuse = () =>
    decide.refuse(userCode).then(onDecided, (error: unknown) => notify(refusedBy(error).message, { isError: true }));
  return (
    <section class="listing">
      <p>{words.question(name, device, remoteAddress)}</p>
      <p class="soft">{words.warning}</p>
      <Form fields={[proofField(step)]} submit={words.approve} send={approve} />
      <p class="acts">
        <button type="button" class="button" onClick={() => void refuse()}>
          {words.refuse}
        </button>
        {hasNone(step) && (
          <button type="button" class="link" onClick={() => void sendCode(step, userCode)}>
            {words.again}
          </button>
        )}
      </p>
    </section>
  );
}
