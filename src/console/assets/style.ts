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
.console .row label.beside { display: flex; align-items: center; gap: var(--space-2); flex: 0 1 20rem; max-width: none; }
.console label.beside > input { margin: 0; padding-block: var(--space-1); min-width: 0; flex: 1; }
.console #bulk { align-items: center; }
.console .row button, .console .row .button { margin: 0; }
.console .row label.choice { flex: 0 0 auto; }
.console .row:has(> label ~ label:not(.choice)) { display: grid; grid: auto-flow / repeat(auto-fill, minmax(min(10.25rem, 45%), 1fr)); overflow: visible; }
.console .row:has(> label) > :is(button, .button) { justify-self: start; }
.console .row:has(> label) > :is(button, .button):not(.small),
.console .row > label > :is(input:not([type=checkbox], [type=radio], [type=file]), select) { box-sizing: border-box; height: 2.75rem; padding-block: 0; }
.console td .row { margin: 0; align-items: center; }
.console .row > a.button { display: inline-flex; align-items: center; }
.console .entry { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface);
  padding: var(--space-4); margin-bottom: var(--space-4); }
.console .entry:focus-within, .console .entry.current { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
.console .entry header { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); align-items: baseline; font-size: var(--text-s); color: var(--soft); }
.console .entry h2 { font: 600 var(--text-m)/1.4 var(--font-text); margin: 0; color: var(--ink); }
.console .entry blockquote { margin: var(--space-3) 0; padding: 0; white-space: pre-wrap; max-height: 24rem; overflow-y: auto; }
.console .entry .reasons { list-style: none; padding: 0; margin: var(--space-2) 0 0; font-size: var(--text-s); }
.console .entry .row { margin: 0; align-items: center; }
.console .chart { display: grid; grid-template: 9rem auto / max-content minmax(0, 1fr); gap: 0 var(--space-2); margin: 0 0 var(--space-4); font-size: var(--text-s); color: var(--soft); }
.console .chart svg { display: block; width: 100%; height: 100%; overflow: visible; }
.console .chart line { stroke: var(--line); vector-effect: non-scaling-stroke; } .console .chart .hover-area { fill: transparent; }
.console .chart g:hover .hover-area { fill: var(--tint); }
.console .chart .succeeded { fill: var(--accent); } .console .chart .client-errors { fill: var(--star-fill); } .console .chart .server-errors { fill: var(--danger); }
.console .scale { display: flex; flex-direction: column; justify-content: space-between; text-align: end; margin: -.5em 0; line-height: 1; font-variant-numeric: tabular-nums; }
.console .times { grid-column: 2; display: flex; padding-top: var(--space-1); font-variant-numeric: tabular-nums; } .console .times span { flex: 1; }
.console .chart figcaption { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 var(--space-4); margin-top: var(--space-2); }
.console figcaption span:not(.unit)::before { content: ""; display: inline-block; width: .75em; height: .75em; margin-right: .4em; border-radius: .2em; background: var(--accent); }
.console figcaption span.client-errors::before { background: var(--star-fill); } .console figcaption span.server-errors::before { background: var(--danger); }
.console .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 var(--space-6); }
.console pre.json { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; }
.console del { background: var(--danger-tint); } .console ins { background: var(--good-tint); text-decoration: none; }
.console .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 var(--space-5); }
.console fieldset .fields { grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); align-items: end; }
.console .fields > .wide { grid-column: 1 / -1; }
.console label + .hint { margin-bottom: var(--space-1); }
.console .hint code, .console code.name { font-size: .9em; background: none; color: var(--soft); }
.console code.name { display: block; }
.console .about-record { display: flex; gap: var(--space-4); align-items: center; margin-bottom: var(--space-4); }
.console .about-record img { max-height: 9rem; max-width: 9rem; border-radius: var(--radius-cover); }
.console fieldset label { margin-top: var(--space-3); }
.console .field-error { color: var(--danger); margin: 0 0 var(--space-1); font-size: var(--text-s); font-weight: 600; }
.console [aria-invalid=true] { border-color: var(--danger); }
.console .difference { margin-bottom: var(--space-3); }
.console .difference :is(del, ins) { display: block; width: fit-content; white-space: pre-line; overflow-wrap: anywhere; }
.console .difference strong { display: block; }
.console .progress { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); align-items: center; }
.console .progress progress { margin: 0; flex: 0 1 20rem; }
.console small.block { display: block; overflow-wrap: anywhere; }
.console ul.changes { margin: 0; padding: 0; list-style: none; } .console .changes li { overflow-wrap: anywhere; }
.console .changes del, .console .changes ins { white-space: pre-wrap; }
.console .stats a { color: inherit; }
.console h1 { font-size: var(--text-2xl); }
.console h2 { margin-top: var(--space-6); }
.console .entry h2 { margin-top: 0; }
@media (max-width: 40rem) {
  .console .stacked, .console .stacked tbody { display: block; min-width: 0; }
  .console .stacked thead { position: absolute; clip-path: inset(50%); }
  .console .stacked tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(4rem, 1fr)); gap: var(--space-1) var(--space-2);
    margin-bottom: var(--space-3); padding: var(--space-3); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
  .console .stacked td { grid-column: 1 / -1; min-width: 0; padding: 0; border: 0; overflow-wrap: anywhere; }
  .console .stacked td:empty { display: none; }
  .console .stacked td:first-child { font-weight: 600; }
  .console .stacked td[data-label]:not(:first-child)::before { content: attr(data-label); margin-right: var(--space-2); color: var(--soft); font-size: var(--text-s); }
  .console .stacked td > details { display: inline-block; max-width: 100%; vertical-align: top; }
  .console .stacked td.number:not(:first-child) { grid-column: auto; text-align: start; font-size: var(--text-s); }
  .console .stacked td.number:not(:first-child)::before { display: block; margin: 0; }
  .console .stacked tr:not(:has(.number ~ .number)) td.number:not(:first-child) { grid-column: 1 / -1; font-size: inherit; }
  .console .stacked tr:not(:has(.number ~ .number)) td.number:not(:first-child)::before { display: inline; margin-right: var(--space-2); }
}
`,
);
