import { COMPONENTS } from './components';
import { DRAWN } from './drawn';
import { FRAME } from './frame';
import { LAYOUTS } from './layouts';
import { styleSheet } from './style-sheet';
import { TEXT } from './text';
import { TOKENS } from './tokens';
import { WORKS } from './record-components';

/** Tokens, header and footer; also used by the API reference, which has its own styles. */
export const FRAME_STYLE = `${TOKENS}${FRAME}
button.link { border: 0; background: none; cursor: pointer; font: inherit; }`;

/** The style sheet of all pages. An area with needs of its own adds a second sheet. */
export const STYLE = styleSheet(
  '/service/style.css',
  TOKENS,
  FRAME,
  TEXT,
  COMPONENTS,
  WORKS,
  DRAWN,
  LAYOUTS,
);
