import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/records.css';
import './style/drawer.css';
import './style/home.css';
import './style/print.css';
import { render } from 'preact';
import { refusedLink } from './screens/sign-in/sign-in.tsx';
import { resume } from './session.ts';
import { App } from './shell/app.tsx';

render(<App />, document.body);

resume().catch((error: Error) => {
  refusedLink.value = error.message;
});
