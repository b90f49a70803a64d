import { styleSheet } from '../web/style/style-sheet';

/** The style sheet of the documentation, beside that of all pages. */
export const DOCS_STYLE = styleSheet(
  '/docs/docs.css',
  `
.docs-search { max-width: 36rem; margin: 0 0 var(--space-5); }
.docs-text { max-width: var(--reading); }
.docs-text .table { max-width: 100%; }
.docs-text figure.code, .docs-text pre { max-width: 48rem; }
figure.code { margin: 0 0 var(--space-4); position: relative; }
figure.code pre { margin: 0; }
figure.code figcaption { font: 600 var(--text-s)/1 var(--font-code); color: var(--on-code); 
  background: var(--code); padding: var(--space-3) var(--space-4) 0; border-radius: var(--radius) var(--radius) 0 0; }
figure.code figcaption + pre { border-radius: 0 0 var(--radius) var(--radius); }
button.copy { position: absolute; top: var(--space-2); right: var(--space-2); margin: 0; padding: .15rem .6rem;
  font-size: var(--text-s); background: var(--code); color: var(--on-code); border-color: var(--on-code); }
.doc-cards { display: grid; gap: var(--space-4); padding: 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.doc-cards a { display: block; height: 100%; padding: var(--space-4); color: inherit; text-decoration: none;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.doc-cards a:hover { border-color: var(--accent); }
.doc-cards strong { display: block; font: 600 var(--text-l)/1.3 var(--font-title); color: var(--accent); }
.doc-cards span { color: var(--soft); font-size: var(--text-s); }
.verb { display: inline-block; min-width: 4.2em; font: 600 var(--text-s)/1.5 var(--font-code); color: var(--accent); }
.verb.write { color: var(--seal); }
ul.operations { list-style: none; padding: 0; }
ul.operations li { padding: var(--space-1) 0; border-bottom: 1px solid var(--line); }
ul.operations a { text-decoration: none; display: grid; gap: 0 var(--space-3); color: inherit;
  grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
ul.operations a:hover code { text-decoration: underline; }
section.operation { border-top: 1px solid var(--line); margin-top: var(--space-6); padding-top: var(--space-2);
  scroll-margin-top: var(--space-7); }
section.operation h2, section.object h3 { margin-top: var(--space-4); }
section.operation h2 a, section.object h3 a { color: inherit; text-decoration: none; }
section.operation h3 { font: 600 var(--text-m)/1.4 var(--font-text); margin: var(--space-4) 0 var(--space-1); }
.path { font: var(--text-m)/1.5 var(--font-code); padding: var(--space-2) var(--space-3); background: var(--tint);
  border-radius: var(--radius); overflow-wrap: anywhere; }
:target { scroll-margin-top: var(--space-7); }
section.operation:target, section.object:target { box-shadow: -4px 0 0 var(--seal); padding-left: var(--space-3); }
table.fields { table-layout: fixed; }
table.fields th:nth-child(1) { width: 30%; } table.fields th:nth-child(2) { width: 25%; }
table.fields td { overflow-wrap: anywhere; }
table.fields td p { margin: 0; }
td small { color: var(--soft); font-size: var(--text-s); }
.choice-bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 var(--space-5);
  align-items: center; margin: 0 0 var(--space-4); padding: var(--space-2) 0; background: var(--paper);
  border: 0; border-bottom: 1px solid var(--line); border-radius: 0; }
.choice-bar legend { float: left; padding: 0; margin: 0 var(--space-2) 0 0; font-size: var(--text-s); }
.choice-bar label { margin: 0; font-size: var(--text-s); }
main:has(#code-curl:checked) .sample:not(.curl), main:has(#code-typescript:checked) .sample:not(.typescript),
main:has(#code-python:checked) .sample:not(.python) { display: none; }
details.fold { margin: 0 0 var(--space-4); border: 1px solid var(--line); border-radius: var(--radius);
  background: var(--surface); }
details.fold > summary { cursor: pointer; font-weight: 600; padding: var(--space-2) var(--space-4); }
details.fold > :not(summary) { margin-left: var(--space-4); margin-right: var(--space-4); }
details.fold pre { max-height: 28rem; overflow: auto; }
form.try { display: grid; gap: var(--space-3) var(--space-4); align-items: end;
  grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
form.try > div { min-width: 0; }
form.try label { margin: 0 0 var(--space-1); font: 600 var(--text-s)/1.4 var(--font-code); }
form.try button { margin: 0; }
form.try .full { grid-column: 1 / -1; }
.credentials { display: grid; gap: var(--space-3) var(--space-4); align-items: end;
  grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); padding-bottom: var(--space-4); }
.credentials label { margin: 0 0 var(--space-1); font-size: var(--text-s); }
.credentials .full { grid-column: 1 / -1; margin: 0; }
.credentials button { margin: 0; }
dl.found dt { display: flex; gap: var(--space-3); flex-wrap: wrap; align-items: baseline; color: inherit; }
ul.codes { list-style: none; margin: 0; padding: 0; }
ul.codes a { font-family: var(--font-code); }
dl.found { display: block; }
dl.found dd { margin: 0 0 var(--space-4); color: var(--soft); }
.toc { font-size: var(--text-s); }
@media (max-width: 40rem) {
  ul.operations a { grid-template-columns: minmax(0, 1fr); }
  .choice-bar { position: static; }
  table.fields, table.fields tbody { display: block; min-width: 0; }
  table.fields thead { display: none; }
  table.fields tr { display: block; padding: var(--space-2) 0; border-bottom: 1px solid var(--line); }
  table.fields td { display: block; border: 0; padding: 0; }
}
`,
);
