/** Colours in both schemes, and the header; also used by the API reference. */
export const HEADER_STYLE = `
:root { color-scheme: light dark; --ink: #1d2530; --soft: #56616f; --paper: #fbfaf7; --field: #fff;
  --line: #d9d5ca; --edge: #8a939e; --blue: #0b5cad; --on-blue: #fff; --red: #a3271f;
  --green: #1c6b3c; --focus: #79b2ea; --code: #1d2530; --on-code: #f3f1ea; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e9; --soft: #a5aeb9; --paper: #15181d; --field: #1e232a; --line: #363d47;
    --edge: #6d7783; --blue: #7db8f5; --on-blue: #0d1620; --red: #f2938b; --green: #7ecb9b;
    --focus: #3f7fc0; --code: #0b0d10; --on-code: #e4e6e9; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); }
header.site { font: 16px/1.6 system-ui, sans-serif; display: flex; flex-wrap: wrap;
  gap: .25rem 1.25rem; align-items: baseline; justify-content: flex-end; max-width: 46rem; margin: 0 auto;
  padding: 1rem 1.25rem .75rem; border-bottom: 1px solid var(--line); }
header.site a { color: var(--blue); }
header.site strong { font-size: 1.1rem; margin-right: auto; }
header.site strong a { color: inherit; text-decoration: none; }
header.site form { margin: 0; }
header.site .languages { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .25rem 1rem;
  justify-content: flex-end; font-size: .9rem; }
header.site .languages span { color: var(--soft); font-weight: 600; }
@media (max-width: 40rem) { header.site { justify-content: flex-start; }
  header.site strong { flex-basis: 100%; }
  header.site .languages { justify-content: flex-start; } }
`;

/** The style sheet of the pages, also for small screens. */
export const STYLE = `${HEADER_STYLE}
body { font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
a { color: var(--blue); }
p.lead, .soft { color: var(--soft); }
p.ways a { margin-right: 1.25rem; }
progress { display: block; width: 100%; max-width: 20rem; margin-top: .35rem; }
progress[hidden] { display: none; }
div.note p { margin: .25rem 0; }
p.note, div.note, p.error, p.good { border-left: 4px solid var(--line); padding: .5rem .9rem;
  background: var(--field); }
p.error { border-color: var(--red); } p.good { border-color: var(--green); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .35rem 0; }
label small, .hint { display: block; font-weight: 400; color: var(--soft); font-size: .9rem; }
input[type=text], input[type=password], textarea, select { width: 100%; font: inherit; color: inherit;
  padding: .55rem .7rem; border: 1px solid var(--edge); border-radius: .4rem;
  background: var(--field); }
textarea { min-height: 5rem; resize: vertical; }
input:focus-visible, textarea:focus-visible, select:focus-visible, button:focus-visible,
a:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
button { font: inherit; font-weight: 600; padding: .6rem 1.3rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--blue); background: var(--blue); color: var(--on-blue); margin-top: 1.25rem; }
button.quiet { background: var(--field); color: var(--blue); }
button.danger { background: var(--field); color: var(--red); border-color: var(--red); }
button.link { border: 0; background: none; color: var(--blue); padding: 0; margin: 0; font-weight: 400;
  text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem 1rem 1rem; margin: 1rem 0; }
legend { font-weight: 600; padding: 0 .35rem; }
code, .secret { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
pre, .secret { background: var(--code); color: var(--on-code); padding: .7rem .9rem;
  border-radius: .4rem; }
pre { overflow-x: auto; overflow-wrap: normal; } pre code { overflow-wrap: normal; }
.secret { display: block; user-select: all; }
ul.plain { list-style: none; padding: 0; } ul.plain > li { border-top: 1px solid var(--line);
  padding: .75rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 34rem; font-size: .95rem; }
th, td { overflow-wrap: break-word; text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0;
  border-bottom: 1px solid var(--line); } td.number, th.number { text-align: right; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; }
  .buttons button { flex: 1 1 100%; margin-top: 0; } .buttons { margin-top: 1.25rem; } }
`;
