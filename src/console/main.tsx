import './design/fonts.css';
import './design/tokens.css';
import './design/base.css';
import { render } from 'preact';
import { App, loadScreen } from './app/app.tsx';
import { showOrderEverywhere } from './design/visible-order.ts';
import { loadFoldCode } from './history/task-history.ts';
import { loadLateParts } from './state/late.ts';
import { selectedSeq } from './state/selection.ts';

// Before the first draw, which takes as long as the code is on its way.
loadScreen();
// An address that names an entry needs the fold, so its code is loaded along with the rest. Its users report errors.
if (selectedSeq.peek() !== null) loadFoldCode().catch(() => {});

showOrderEverywhere();
const root = document.getElementById('app');
// Preact leaves what it did not draw: the splash.
root?.replaceChildren();
if (root !== null) render(<App />, root);
// A restart or an upgrade of the service then breaks no screen.
void loadLateParts();
