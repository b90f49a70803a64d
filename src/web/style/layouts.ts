/** Layouts of pages about a work, a person or a text, and of the front page. */
export const LAYOUTS = `
.work { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 var(--space-7); }
@media (min-width: 62rem) {
  .work.with-aside { grid-template-columns: minmax(0, 1fr) var(--aside); grid-template-rows: auto 1fr; }
  .work > aside { grid-column: 2; grid-row: 1 / span 2; }
  .work > .body, .work > .first { grid-column: 1; }
  .work.with-first { grid-template-rows: auto auto 1fr; } .work.with-first > aside { grid-row: 1 / span 3; }
}
@media (max-width: 61.99rem) { .work > .first { margin-bottom: var(--space-5); } }
.work > aside { display: grid; gap: var(--space-4); align-content: start; margin-bottom: var(--space-5); }
@media (min-width: 40rem) and (max-width: 61.99rem) {
  .work > aside { grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; }
  .work > aside > :last-child:nth-child(odd) { grid-column: 1 / -1; }
  .work > aside > :last-child:nth-child(odd) .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 var(--space-6); }
  .work > aside > :last-child:nth-child(odd) .facts > div:nth-child(2) { border-top: 0; }
}
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-4); }
.panel h2 { font: 600 var(--text-s)/1.4 var(--font-text); color: var(--soft); margin: 0 0 var(--space-3); }
.panel > :last-child { margin-bottom: 0; }
.panel .section-head { margin: 0 0 var(--space-3); justify-content: space-between; } .panel .section-head h2 { margin: 0; }
.panel .section-head a { font-size: var(--text-s); }
.panel p { font-size: .9375rem; }
.panel .users { gap: var(--space-2) var(--space-4); font-size: .9375rem; }
.facts { display: block; font-size: .9375rem; margin: 0; }
.facts > div { display: grid; grid-template-columns: 6.25rem minmax(0, 1fr); gap: var(--space-3); padding: var(--space-1) 0; }
.facts > div + div { border-top: 1px solid var(--line); }
.facts dd { overflow-wrap: anywhere; }
@media (max-width: 39.99rem) {
  .facts { display: grid; grid-template-columns: 1fr 1fr; gap: var(--space-3) var(--space-4); }
  .facts > div, .facts > div + div { display: block; border: 0; padding: 0; }
  .facts dt { font-size: .8125rem; line-height: 1.4; }
  .facts > .long { grid-column: 1 / -1; }
}
.counts { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-5); margin: 0 0 var(--space-3); }
.counts > div { display: flex; flex-direction: column-reverse; }
.counts dt { font-size: .8125rem; } .counts dd { font: 600 var(--text-xl)/1.2 var(--font-title); font-variant-numeric: lining-nums; }
.makers { font-size: var(--text-l); margin-bottom: var(--space-3); }
.about { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: var(--space-4); align-items: start; }
.about .avatar { width: 4.5rem; height: 4.5rem; }
.about p { margin: 0; } .about .title { font: 600 1.0625rem/1.35 var(--font-title); }
.about .title a { color: inherit; text-decoration: none; } .about .title a:hover { text-decoration: underline; }
.links { list-style: none; padding: 0; margin: 0; font-size: .9375rem; }
.links li { padding: var(--space-1) 0; } .links li + li { border-top: 1px solid var(--line); }
.when { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-4); align-items: center; margin-bottom: var(--space-4); }
.when .leaf { display: grid; min-width: 4.5rem; text-align: center; border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden;
  background: var(--surface); }
.when .leaf b { background: var(--seal-ground); color: #fff; font: 600 var(--text-s)/1.6 var(--font-text); padding: 0 var(--space-2); }
.when .leaf span { font: 600 2rem/1.5 var(--font-title); font-variant-numeric: lining-nums; }
.when p { margin: 0; }
.intro { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5) var(--space-7); align-items: center; padding: var(--space-5) 0 0; }
.intro h1 { font-size: clamp(2rem, 1.4rem + 2.6vw, 3.25rem); }
.intro form.search { max-width: 30rem; margin: var(--space-4) 0; }
.intro form.search input[type=search] { padding: .65rem .9rem; font-size: 1.0625rem; background: var(--surface); }
.intro .kinds { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); margin: 0; }
.fan { display: flex; justify-content: center; padding: var(--space-4) 0; margin: 0; list-style: none; }
.fan li { flex: 0 0 27%; max-width: 10.5rem; } .fan li + li { margin-left: -7%; }
.fan .cover { box-shadow: var(--shade); border-radius: var(--radius-cover); }
.fan li:nth-child(1) { transform: rotate(-7deg) translateY(6%); } .fan li:nth-child(2) { transform: rotate(-3deg); }
.fan li:nth-child(3) { transform: translateY(-4%); z-index: 1; }
.fan li:nth-child(4) { transform: rotate(3deg); } .fan li:nth-child(5) { transform: rotate(7deg) translateY(6%); }
@media (min-width: 62rem) { .intro { grid-template-columns: minmax(0, 1fr) minmax(0, 1.05fr); } }
@media (max-width: 39.99rem) { .fan { padding: var(--space-2) 0 0; } .fan li { flex-basis: 24%; } .fan li + li { margin-left: -4%; } }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 var(--space-7); }
@media (min-width: 62rem) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; } }
.columns .section-head { margin-top: var(--space-6); }
.columns .entries { max-width: none; }
.entries.two { max-width: none; } @media (min-width: 62rem) {
  .entries.two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 var(--space-7); }
  .entries.two > li:nth-child(2) { border-top: 0; padding-top: 0; } }
`;
