/** The style sheet of the pages, also for small screens. */
export const STYLE = `
:root { --ink: #1d2530; --soft: #56616f; --paper: #fbfaf7; --line: #d9d5ca; --blue: #0b5cad;
  --red: #a3271f; --green: #1c6b3c; }
* { box-sizing: border-box; }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0;
  overflow-wrap: anywhere; }
header, main { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline;
  padding-top: 1rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
header strong { font-size: 1.1rem; margin-right: auto; }
header strong a { color: inherit; text-decoration: none; }
header form { margin: 0; }
main { padding-top: 1.5rem; padding-bottom: 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
a { color: var(--blue); }
p.lead, .soft { color: var(--soft); }
progress { display: block; width: 100%; max-width: 20rem; margin-top: .35rem; }
progress[hidden] { display: none; }
div.note p { margin: .25rem 0; }
p.note, div.note, p.error, p.good { border-left: 4px solid var(--line); padding: .5rem .9rem; background: #fff; }
p.error { border-color: var(--red); } p.good { border-color: var(--green); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .35rem 0; }
label small, .hint { display: block; font-weight: 400; color: var(--soft); font-size: .9rem; }
input[type=text], input[type=password], textarea, select { width: 100%; font: inherit; color: inherit;
  padding: .55rem .7rem; border: 1px solid #9aa3ad; border-radius: .4rem; background: #fff; }
textarea { min-height: 5rem; resize: vertical; }
input:focus-visible, textarea:focus-visible, select:focus-visible, button:focus-visible,
a:focus-visible { outline: 3px solid #79b2ea; outline-offset: 1px; }
button { font: inherit; font-weight: 600; padding: .6rem 1.3rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--blue); background: var(--blue); color: #fff; margin-top: 1.25rem; }
button.quiet { background: #fff; color: var(--blue); }
button.danger { background: #fff; color: var(--red); border-color: var(--red); }
button.link { border: 0; background: none; color: var(--blue); padding: 0; margin: 0; font-weight: 400;
  text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem 1rem 1rem; margin: 1rem 0; }
legend { font-weight: 600; padding: 0 .35rem; }
code, .secret { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
.secret { display: block; background: var(--ink); color: #f3f1ea; padding: .7rem .9rem;
  border-radius: .4rem; user-select: all; }
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
