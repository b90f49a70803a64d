import { styleSheet } from '../../web/style/style-sheet';

/** Styles that only the console needs, from the tokens of all pages. */
export const CONSOLE_STYLE = styleSheet(
  '/admin/style.css',
  `
.console form.inline { display: inline-block; margin: 0; }
.console form.inline button { margin: 0; }
.console .row { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: end; margin-bottom: var(--space-4); }
.console .row label { margin: 0; flex: 1 1 10rem; max-width: 18rem; }
.console label > input, .console label > textarea, .console label > select { font-weight: 400; margin-top: var(--space-1); }
.console .stats { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.console .table { position: relative; }
.console .row button, .console .row .button { margin: 0; }
.console .row label.choice { flex: 0 0 auto; }
.console .entry { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface);
  padding: var(--space-4); margin-bottom: var(--space-4); }
.console .entry:focus-within, .console .entry.current { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
.console .entry header { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); align-items: baseline; font-size: var(--text-s); color: var(--soft); }
.console .entry h2 { font: 600 var(--text-m)/1.4 var(--font-text); margin: 0; color: var(--ink); }
.console .entry blockquote { margin: var(--space-3) 0; padding: 0; white-space: pre-wrap; max-height: 24rem; overflow-y: auto; }
.console .entry .row { margin: 0; align-items: center; }
.console .chart { display: block; width: 100%; height: auto; }
.console .chart rect { fill: var(--accent); } .console .chart rect.bad { fill: var(--danger); }
.console .chart text { fill: var(--soft); font-size: 11px; }
.console .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 var(--space-6); }
.console pre.json { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; }
.console del { background: var(--danger-tint); } .console ins { background: var(--good-tint); text-decoration: none; }
.console .stats a { color: inherit; }
.console h1 { font-size: var(--text-2xl); }
.console h2 { margin-top: var(--space-6); }
.console .entry h2 { margin-top: 0; }
`,
);
