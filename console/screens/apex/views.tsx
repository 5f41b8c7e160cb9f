import '../../style/administration.css';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Act } from '../../parts/listing.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { apex } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/campaigns', title: texts.screens.campaigns },
  { path: '/apex-tasks', title: texts.screens.apexTasks },
  { path: '/appliances', title: texts.screens.appliances },
];

export const Views = () => <Tabs label={apex.views} tabs={VIEWS} />;

const useCounts = question(() => answerOf(client.GET('/api/v1/validation-operations/apex/tasks/status')));

/** Beside the tasks: the way to stop all of them at once, while some wait or run, or nobody knows. */
export const ViewsWithStop = () => {
  const { data, error } = useCounts('');
  const goesOn = error || data?.some(({ value, count }) => count > 0 && (value === 'pending' || value === 'running'));
  return (
    <>
      <Views />
      {goesOn && (
        <p>
          <Act
            look="button"
            label={apex.stop}
            sure={apex.sureStop}
            done={apex.stopped}
            run={() => answerOf(client.POST('/api/v1/validation-operations/apex/stop-all', { body: {} }))}
          />
        </p>
      )}
    </>
  );
};
