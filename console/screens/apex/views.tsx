import '../../style/administration.css';
import { answerOf, client } from '../../api/client.ts';
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

/** Beside the tasks: the way to stop all of them at once. */
export const ViewsWithStop = () => (
  <>
    <Views />
    <p>
      <Act
        look="button"
        label={apex.stop}
        sure={apex.sureStop}
        done={apex.stopped}
        run={() => answerOf(client.POST('/api/v1/validation-operations/apex/stop-all', { body: {} }))}
      />
    </p>
  </>
);
