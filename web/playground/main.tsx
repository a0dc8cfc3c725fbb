// Starts the page. Must not know what is on it.
import './quiet-zod.js';
import { render } from 'preact';
import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/figures.css';
import './playground.css';
import './parts/parts.css';
import './share/share.css';
import './search/search.css';
import './program/editor.css';
import './program/training.css';
import './data/data.css';
import './tour/tour.css';
import { App } from './app.js';
import { registerOffline } from './offline/register.js';

render(<App />, document.getElementById('app')!);
registerOffline();
